#include "apps/voigt/png.h"

#include <memory>
#include <stdexcept>

#ifdef VOIGT_HAS_RSVG
#include <cairo.h>
#include <librsvg/rsvg.h>
#endif

namespace voigt {

#ifdef VOIGT_HAS_RSVG

bool CanWritePng() { return true; }

void WritePng(const std::string& svg, const std::string& path) {
  constexpr double kScale = 2;
  const auto release = [](auto* object) { g_object_unref(object); };
  const std::unique_ptr<RsvgHandle, decltype(release)> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), nullptr));
  double width = 0, height = 0;
  if (!handle || !rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height)) {
    throw std::runtime_error(path + ": the picture cannot be drawn");
  }
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(kScale * width),
                                 static_cast<int>(kScale * height)),
      cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context(cairo_create(surface.get()),
                                                                   cairo_destroy);
  const RsvgRectangle page{0, 0, kScale * width, kScale * height};
  if (!rsvg_handle_render_document(handle.get(), context.get(), &page, nullptr)) {
    throw std::runtime_error(path + ": the picture cannot be drawn");
  }
  if (cairo_surface_write_to_png(surface.get(), path.c_str()) != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(path + ": cannot be written: does the folder exist?");
  }
}

#else

bool CanWritePng() { return false; }

void WritePng(const std::string&, const std::string& path) {
  throw std::runtime_error(path + ": this program was built without librsvg");
}

#endif

}  // namespace voigt
