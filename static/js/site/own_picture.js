// The player's own picture, cut to a square.
const SIDE = 1080; // pixels: twice the board's

// Throws if the file is not an image.
export async function squareOf(file) {
  const image = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  const side = Math.min(image.width, image.height);
  canvas.width = canvas.height = Math.min(SIDE, side);
  const context = canvas.getContext("2d");
  context.fillStyle = "white"; // background of a transparent image
  context.fillRect(0, 0, SIDE, SIDE);
  context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side,
    0, 0, canvas.width, canvas.height);
  return canvas;
}
