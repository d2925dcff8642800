/** A picture (PNG) in a format that is small, which the browser knows how to write. */
export async function asWebp(tab, png) {
  const data = await tab.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.85);
  }, `data:image/png;base64,${png.toString('base64')}`);
  return Buffer.from(data.split(',')[1], 'base64');
}
