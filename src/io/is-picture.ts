/** Whether bytes are a PNG or JPEG, the pictures glTF can hold. */
export function isPicture(bytes: Uint8Array): boolean {
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47;
  return isPng || (bytes[0] === 0xff && bytes[1] === 0xd8);
}
