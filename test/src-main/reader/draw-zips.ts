/** Archives as phone cameras and computers write them, and damaged ones. */
import { buffer } from 'node:stream/consumers'
import { ZipFile, type Options } from 'yazl'
import { drawing } from './draw-images.ts'

export type Packed = {
  /** ASCII here; `renamed` puts other bytes in its place. */
  readonly name: string
  readonly bytes: Buffer
  readonly options?: Partial<Options>
}

export const NIGHT = new Date(2026, 5, 2, 12, 18, 2)

export async function zipOf(packed: readonly Packed[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { name, bytes, options } of packed) {
    zip.addBuffer(bytes, name, { mtime: NIGHT, ...options })
  }
  zip.end()
  return buffer(zip.outputStream)
}

/** Puts another name of the same length in the place of one, at its file and in the directory. */
export function renamed(zip: Buffer, from: string, to: string | Buffer): Buffer {
  const wanted = Buffer.from(to as string)
  if (wanted.length !== from.length) throw new Error('Names of one length can be exchanged only.')
  const copy = Buffer.from(zip)
  for (let at = copy.indexOf(from); at !== -1; at = copy.indexOf(from, at + 1)) copy.set(wanted, at)
  return copy
}

/** Changes what the directory states of its `nth` file. */
export function restated(zip: Buffer, nth: number, change: (entry: Buffer) => void): Buffer {
  const copy = Buffer.from(zip)
  let at = -1
  for (let index = 0; index <= nth; index += 1) at = copy.indexOf('PK\u0001\u0002', at + 1, 'latin1')
  change(copy.subarray(at))
  return copy
}

/** Two images and a report, in folders as layout 3 of the phone camera has them. */
export async function drawnZip(): Promise<Buffer> {
  const folder = 'Ana_Prueba_10000001_14-02-2025'
  const image = await drawing(120, 90).jpeg().toBuffer()
  return zipOf([
    { name: `${folder}/FOP/3.00.05.120_PM.jpg`, bytes: image, options: { compress: false } },
    { name: `${folder}/FOP/3.00.31.001_PM.jpg`, bytes: await drawing(121, 90).jpeg().toBuffer() },
    { name: `${folder}/REPORTS/3.02.11.001_PM.pdf`, bytes: Buffer.from('%PDF-1.7 synthetic'.repeat(50)) },
  ])
}
