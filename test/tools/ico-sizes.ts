import { readFile } from 'node:fs/promises'

/** The widths of the pictures in an `.ico`, in their order; throws if one of them is beyond the end of the file. */
export async function icoSizes(path: string): Promise<readonly number[]> {
  const bytes = await readFile(path)
  if (bytes.readUInt16LE(0) !== 0 || bytes.readUInt16LE(2) !== 1) throw new Error(`${path} is no icon`)
  return Array.from({ length: bytes.readUInt16LE(4) }, (_, index) => {
    const entry = bytes.subarray(6 + 16 * index)
    if (entry.readUInt32LE(12) + entry.readUInt32LE(8) > bytes.length) throw new Error(`${path} is cut off`)
    return entry.readUInt8(0)
  })
}
