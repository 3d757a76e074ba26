/** JPEG 2000 and JPEG-LS as cameras put them into DICOM files, without loss. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export type Samples = {
  readonly width: number
  readonly height: number
  readonly components: number
  readonly bits: number
  readonly isSigned?: boolean
  /** A byte each or, of more than eight bits, two, low first; those of a pixel together. */
  readonly bytes: Uint8Array
}

const wasmOf = (name: string): Buffer => readFileSync(createRequire(import.meta.url).resolve(name))
const print = (): undefined => undefined

const frameOf = ({ width, height, components, bits, isSigned = false }: Samples): object => ({
  width,
  height,
  bitsPerSample: bits,
  componentCount: components,
  isSigned,
})

export async function encodeJpeg2000(samples: Samples): Promise<Buffer> {
  const { default: openjpeg } = await import('@cornerstonejs/codec-openjpeg/wasmjs')
  const program = await openjpeg({ wasmBinary: wasmOf('@cornerstonejs/codec-openjpeg/wasm'), print })
  const encoder = new program.J2KEncoder()
  encoder.getDecodedBuffer({ ...frameOf(samples), isUsingColorTransform: true }).set(samples.bytes)
  // It fails if a picture is halved more often than it can be.
  encoder.setDecompositions(Math.min(5, Math.floor(Math.log2(Math.min(samples.width, samples.height)))))
  encoder.setQuality(true, 0)
  encoder.encode()
  return Buffer.from(encoder.getEncodedBuffer())
}

/** `isByPlane`: each colour in a scan of its own. */
export async function encodeJpegLs(samples: Samples, isByPlane = false): Promise<Buffer> {
  const { default: charls } = await import('@cornerstonejs/codec-charls/wasmjs')
  const program = await charls({ wasmBinary: wasmOf('@cornerstonejs/codec-charls/wasm'), print })
  const encoder = new program.JpegLSEncoder()
  const bytes = isByPlane ? planesOf(samples) : samples.bytes
  encoder.getDecodedBuffer(frameOf(samples)).set(bytes)
  encoder.setNearLossless(0)
  encoder.setInterleaveMode(isByPlane || samples.components === 1 ? 0 : 2)
  encoder.encode()
  return Buffer.from(encoder.getEncodedBuffer())
}

function planesOf({ width, height, components, bytes }: Samples): Uint8Array {
  const count = width * height
  return Uint8Array.from(
    { length: count * components },
    (_, at) => bytes[(at % count) * components + Math.floor(at / count)] ?? 0,
  )
}
