/** What goes wrong in export folders, made to order. Each answers with the path of what it wrote. */
import { join } from 'node:path'
import { drawFundus } from './draw-fundus.ts'
import { writeAsCamera } from './write-as-camera.ts'

const SMALL = { width: 320, height: 240 }

/** Text that calls itself a JPEG. */
export function writeTextNamedJpeg(folder: string, name = 'H-00901_20261120_OD_1.jpg'): Promise<string> {
  return write(folder, name, Buffer.from('This is no image, whatever its name says.\n'.repeat(40)))
}

/** A JPEG that ends in its middle, as after a pulled cable: there is no end marker. */
export async function writeTruncatedJpeg(
  folder: string,
  name = 'H-00902_20261120_OD_1.jpg',
): Promise<string> {
  const whole = await drawFundus({ eye: 'right', seed: 902, ...SMALL })
  return write(folder, name, whole.subarray(0, Math.floor(whole.length * 0.6)))
}

/** A JPEG whose frame is whole and whose picture is not: zeros where a lost block was. */
export async function writeDamagedJpeg(folder: string, name = 'H-00903_20261120_OD_1.jpg'): Promise<string> {
  const whole = Buffer.from(await drawFundus({ eye: 'right', seed: 903, ...SMALL }))
  whole.fill(0, Math.floor(whole.length * 0.4), Math.floor(whole.length * 0.7))
  return write(folder, name, whole)
}

export function writeEmptyFile(folder: string, name = 'H-00904_20261120_OD_1.jpg'): Promise<string> {
  return write(folder, name, Buffer.alloc(0))
}

/** A good image of which nothing tells the eye. */
export async function writeImageWithoutEye(
  folder: string,
  name = 'H-00905_20261120/IMG_0001.jpg',
): Promise<string> {
  return write(folder, name, await drawFundus({ eye: 'left', seed: 905, ...SMALL }))
}

/** A `case.json` that breaks off. */
export function writeBrokenSidecar(folder: string, name = 'H-00906_20261120/case.json'): Promise<string> {
  return write(folder, name, Buffer.from('{\n  "history_number": "H-00906",\n  "age": 4'))
}

async function write(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeAsCamera(path, bytes)
  return path
}
