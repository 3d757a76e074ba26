/** TIFF files written by hand, as makers write them who have not read TIFF 6.0 to its end. */
import { drawing } from './draw-images.ts'

/** Its numbers or bytes; `count` is that of the values if it is not what is stated. */
export type TiffTag = {
  readonly tag: number
  readonly type: number
  readonly values: readonly number[] | string | Buffer
  readonly count?: number
}

export const [BYTE, ASCII, SHORT, LONG, RATIONAL, SIGNED] = [1, 2, 3, 4, 5, 9]
const SIZES: ReadonlyMap<number, number> = new Map([
  [BYTE, 1],
  [ASCII, 1],
  [7, 1],
  [SHORT, 2],
])

/** `next` is the pointer behind the directory. */
type How = {
  readonly isUnsorted?: boolean
  readonly isOdd?: boolean
  readonly isBig?: boolean
  readonly next?: number
}

/** A directory at once behind the header, the longer values, and these image data, to which the tags 273 and 513 point. */
export function tiffOf(tags: readonly TiffTag[], data: Buffer, how: How = {}): Buffer {
  const ordered = how.isUnsorted === true ? tags : tags.toSorted((one, other) => one.tag - other.tag)
  const write = (into: Buffer, value: number, at: number, bytes: number): void => {
    if (bytes === 1) into.writeUInt8(value, at)
    else if (how.isBig === true) into.writeUIntBE(value, at, bytes)
    else into.writeUIntLE(value, at, bytes)
  }
  const bytesOf = ({ type, values }: TiffTag): Buffer => {
    if (Buffer.isBuffer(values)) return values
    if (typeof values === 'string') return Buffer.from(values, 'latin1')
    const size = SIZES.get(type) ?? 4
    const bytes = Buffer.alloc(values.length * size)
    values.forEach((value, index) => write(bytes, value, index * size, size))
    return bytes
  }
  const shift = how.isOdd === true ? 1 : 0
  const head = Buffer.alloc(8 + shift)
  head.write(how.isBig === true ? 'MM' : 'II')
  write(head, 42, 2, 2)
  write(head, head.length, 4, 4)
  const directory = Buffer.alloc(2 + tags.length * 12 + 4)
  write(directory, tags.length, 0, 2)
  const long: Buffer[] = [Buffer.alloc(shift)]
  let at = head.length + directory.length + shift
  for (const [index, tag] of ordered.entries()) {
    const entry = 2 + index * 12
    const bytes = bytesOf(tag)
    write(directory, tag.tag, entry, 2)
    write(directory, tag.type, entry + 2, 2)
    const perValue = tag.type === RATIONAL ? 8 : (SIZES.get(tag.type) ?? 4)
    write(
      directory,
      tag.count ?? (typeof tag.values === 'string' ? bytes.length : bytes.length / perValue),
      entry + 4,
      4,
    )
    if (bytes.length <= 4) bytes.copy(directory, entry + 8)
    else {
      write(directory, at, entry + 8, 4)
      long.push(bytes)
      at += bytes.length
    }
  }
  for (const [index, { tag, values }] of ordered.entries())
    if ((tag === 273 || tag === 513) && values.length === 1) write(directory, at, 2 + index * 12 + 8, 4)
  write(directory, how.next ?? 0, directory.length - 4, 4)
  return Buffer.concat([head, directory, ...long, data])
}

export const [WIDTH, HEIGHT] = [60, 45]

/** Plain pixels of three colours. */
export const rgb = await drawing(WIDTH, HEIGHT).raw().toBuffer()

/** What such a picture needs, but for these, and with others. */
export function tagsOf(
  others: readonly TiffTag[] = [],
  without: readonly number[] = [],
  bytes = rgb.length,
): TiffTag[] {
  const short = (tag: number, ...values: number[]): TiffTag => ({ tag, type: SHORT, values })
  const own = [
    short(256, WIDTH),
    short(257, HEIGHT),
    short(258, 8, 8, 8),
    short(259, 1),
    short(262, 2),
    { tag: 273, type: LONG, values: [0] },
    short(277, 3),
    short(278, HEIGHT),
    { tag: 279, type: LONG, values: [bytes] },
  ]
  const replaced = [...without, ...others.map(({ tag }) => tag)]
  return [...own.filter(({ tag }) => !replaced.includes(tag)), ...others]
}
