/** Lossless JPEG (ISO/IEC 10918-1 annex H), written by the book: no encoder that comes with npm does. */

export type LosslessOptions = {
  readonly width: number
  readonly height: number
  readonly components: 1 | 3
  readonly bits: number
  /** Table H.1. */
  readonly predictor?: number
  /** Rows between restart markers; none by default. */
  readonly restartRows?: number
}

/** Samples of each pixel one after the other. */
export function encodeLossless(samples: ArrayLike<number>, options: LosslessOptions): Buffer {
  const { width, height, components, bits, predictor = 1, restartRows = 0 } = options
  const numbers = Array.from({ length: components }, (_, index) => index + 1)
  const frame = [bits, height >> 8, height & 255, width >> 8, width & 255, components]
  // Seventeen codes of five bits: one for each length of a difference.
  const lengths = Array.from({ length: 16 }, (_, index) => (index === 4 ? 17 : 0))
  const parts = [
    Buffer.from([0xff, 0xd8]),
    segment(0xc3, [...frame, ...numbers.flatMap((id) => [id, 0x11, 0])]),
    segment(0xc4, [0, ...lengths, ...Array.from({ length: 17 }, (_, index) => index)]),
    ...(restartRows > 0 ? [segment(0xdd, [(restartRows * width) >> 8, (restartRows * width) & 255])] : []),
    segment(0xda, [components, ...numbers.flatMap((id) => [id, 0]), predictor, 0, 0]),
  ]
  const at = (x: number, y: number, component: number): number =>
    samples[(y * width + x) * components + component] ?? 0
  const stretch = restartRows > 0 ? restartRows : height
  for (let first = 0; first < height; first += stretch) {
    const writer = new BitWriter()
    for (let y = first; y < Math.min(height, first + stretch); y += 1)
      for (let x = 0; x < width; x += 1)
        for (let component = 0; component < components; component += 1) {
          const [left, above, corner] = [
            at(x - 1, y, component),
            at(x, y - 1, component),
            at(x - 1, y - 1, component),
          ]
          const guess =
            y === first
              ? x === 0
                ? 2 ** (bits - 1)
                : left
              : x === 0
                ? above
                : guessOf(predictor, left, above, corner)
          writer.difference(((at(x, y, component) - guess + 0x8000) & 0xffff) - 0x8000)
        }
    if (first > 0) parts.push(Buffer.from([0xff, 0xd0 + ((first / stretch - 1) % 8)]))
    parts.push(writer.end())
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])])
}

function guessOf(predictor: number, left: number, above: number, corner: number): number {
  const guesses = [
    0,
    left,
    above,
    corner,
    left + above - corner,
    left + ((above - corner) >> 1),
    above + ((left - corner) >> 1),
    (left + above) >> 1,
  ]
  return guesses[predictor] ?? 0
}

function segment(code: number, bytes: readonly number[]): Buffer {
  const length = bytes.length + 2
  return Buffer.from([0xff, code, length >> 8, length & 255, ...bytes])
}

class BitWriter {
  readonly #bytes: number[] = []
  #held = 0
  #count = 0

  difference(value: number): void {
    const size = value === -0x8000 ? 16 : 32 - Math.clz32(Math.abs(value))
    this.#write(size, 5)
    if (size > 0 && size < 16) this.#write(value > 0 ? value : value + 2 ** size - 1, size)
  }

  #write(value: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit -= 1) {
      this.#held = (this.#held << 1) | ((value >> bit) & 1)
      this.#count += 1
      if (this.#count < 8) continue
      this.#bytes.push(this.#held)
      if (this.#held === 0xff) this.#bytes.push(0)
      this.#held = 0
      this.#count = 0
    }
  }

  end(): Buffer {
    while (this.#count > 0) this.#write(1, 1)
    return Buffer.from(this.#bytes)
  }
}
