/** Colours as screens show them (sRGB) to linear light, as glTF has them, in place; N×4, alpha stays. */
export function linearColors(colors: Float32Array): Float32Array {
  for (let i = 0; i < colors.length; i++) {
    const value = Math.min(Math.max(colors[i], 0), 1);
    if (i % 4 === 3) colors[i] = value;
    else colors[i] = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }
  return colors;
}
