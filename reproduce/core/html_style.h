#pragma once

#include <string_view>

namespace voigt::reproduce {

inline constexpr std::string_view kReportStyle = R"css(
:root { --ink: #1c2024; --soft: #60686f; --line: #dfe3e6; --paper: #fff; --back: #f5f6f7; --accent: #0b5cad; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.55 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 48px 24px 96px; }
h1 { font-size: 34px; line-height: 1.15; margin: 0 0 8px; letter-spacing: -0.01em; }
h2 { font-size: 23px; margin: 56px 0 4px; }
h3 { font-size: 19px; margin: 0; }
h3::first-letter { text-transform: uppercase; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.soft { color: var(--soft); }
.lead { font-size: 18px; max-width: 46em; }
.totals { display: flex; flex-wrap: wrap; gap: 12px; margin: 24px 0; }
.totals div { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 12px 18px; }
.totals b { display: block; font-size: 28px; line-height: 1.2; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 24px 28px;
  margin: 20px 0; }
section header { display: flex; align-items: baseline; gap: 12px; flex-wrap: wrap; }
.name { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; color: var(--soft); margin-left: auto; }
.badge { font-size: 13px; font-weight: 600; border-radius: 999px; padding: 2px 11px; white-space: nowrap; }
.reproduced { background: #dff3e4; color: #14632e; }
.beyond { background: #e1edfb; color: #0d4a8a; }
.paper { background: #fdeecb; color: #7a4d00; }
.skipped, .not { background: #e9ebed; color: #4b5258; }
.does { background: #fbdedd; color: #9a1712; }
table { border-collapse: collapse; width: 100%; margin: 16px 0 4px; font-size: 14.5px; }
th { text-align: left; font-weight: 600; color: var(--soft); border-bottom: 2px solid var(--line); padding: 6px 10px 6px 0; }
td { border-bottom: 1px solid var(--line); padding: 7px 10px 7px 0; vertical-align: top; }
th.wide { width: 34%; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
td small { display: block; color: var(--soft); font-size: 12.5px; line-height: 1.35; white-space: normal; }
.why { color: #7a4d00; font-size: 14px; margin: 4px 0 0; }
.bad { color: #9a1712; }
.scroll { overflow-x: auto; }
td.why { padding-top: 0; }
svg { max-width: 100%; height: auto; display: block; margin: 12px 0 0; }
button { font: inherit; font-size: 14.5px; font-weight: 600; color: #fff; background: var(--accent); border: 0; border-radius: 8px;
  padding: 9px 16px; margin: 14px 10px 0 0; cursor: pointer; }
button:hover { background: #084887; }
iframe { width: 100%; height: 620px; border: 1px solid var(--line); border-radius: 8px; margin-top: 14px; background: #fff; }
.index { columns: 2; column-gap: 36px; padding: 0; list-style: none; font-size: 14px; }
.index li { break-inside: avoid; padding: 3px 0; display: grid; grid-template-columns: 132px 1fr auto; gap: 8px;
  align-items: baseline; border-bottom: 1px solid var(--line); }
.index .badge { font-size: 11px; padding: 1px 8px; }
@media (max-width: 760px) { .index { columns: 1; } section { padding: 18px; } }
@media print { body { background: #fff; } section { break-inside: avoid; } button { display: none; } }
)css";

inline constexpr std::string_view kReportScript = R"js(
for (const button of document.querySelectorAll('button[data-run]')) {
  button.addEventListener('click', () => {
    const read = (id) => JSON.parse(document.getElementById(id).textContent);
    const frame = document.createElement('iframe');
    frame.title = button.textContent;
    frame.srcdoc = read('viewer').split(read('place')).join(read(button.dataset.run));
    button.replaceWith(frame);
  });
}
)js";

}  // namespace voigt::reproduce
