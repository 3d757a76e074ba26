/** Each sign of damage in coded data, in scans written bit by bit; all codes have four bits. */
import { expect, it } from 'vitest'
import { soundness } from './soundness.ts'

const DC_SYMBOLS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const AC_SYMBOLS = [0x01, 0x00, 0x10, 0x20, 0xf0, 0x11, 0x0b, 0x02, 0x30]

const codeOf = (symbols: readonly number[], symbol: number): string =>
  symbols.indexOf(symbol).toString(2).padStart(4, '0')
const dc = (size: number, bits = ''): string => codeOf(DC_SYMBOLS, size) + bits
const ac = (symbol: number, bits = ''): string => codeOf(AC_SYMBOLS, symbol) + bits

const NO_CODE = '1111'
const EVEN = dc(0) + ac(0x00)
const END = ac(0x00)

type Scan = { readonly bits: string; readonly range?: readonly [from: number, to: number, highLow: number] }

/** A grey picture of so many blocks in a row, with the quantisation step 8. Bits are padded with ones. */
function jpegOf(blocks: number, scans: readonly Scan[], marker: 0xc0 | 0xc2): Buffer {
  const parts: (readonly number[])[] = [[0xff, 0xd8]]
  const table = (id: number, symbols: readonly number[]): readonly number[] => [
    id,
    ...Array.from({ length: 16 }, (_, index) => (index === 3 ? symbols.length : 0)),
    ...symbols,
  ]
  const segment = (code: number, bytes: readonly number[]): void => {
    parts.push([0xff, code, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes])
  }
  segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)])
  segment(marker, [8, 0, 8, (blocks * 8) >> 8, (blocks * 8) & 0xff, 1, 1, 0x11, 0])
  segment(0xc4, [...table(0, DC_SYMBOLS), ...table(0x10, AC_SYMBOLS)])
  for (const { bits, range: [from, to, highLow] = [0, 63, 0] } of scans) {
    segment(0xda, [1, 1, 0, from, to, highLow])
    const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1')
    const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
    parts.push(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])))
  }
  return Buffer.from([...parts.flat(), 0xff, 0xd9])
}

const signOf = async (jpeg: Buffer): Promise<string> => {
  const finding = await soundness(jpeg)
  return finding.kind === 'doubtful' ? finding.sign : finding.kind
}

const NO_SYMBOL = 'coded data hold a code of no symbol'
const TOO_LARGE = 'a coefficient is larger than any of a picture'
const TOO_MANY = 'a block has more coefficients than there are'
const TOO_SHORT = 'coded data end before their last block'
const TOO_LONG = 'coded data go on after their last block'

it.each<readonly [what: string, sign: string, blocks: number, bits: string]>([
  ['nothing wrong', 'sound', 2, EVEN + dc(3, '101') + ac(0x11, '1') + END],
  ['a block filled to its last coefficient', 'sound', 2, dc(0) + ac(0x01, '1').repeat(63) + EVEN],
  ['no code of a mean', NO_SYMBOL, 1, NO_CODE],
  ['no code of a coefficient', NO_SYMBOL, 1, dc(0) + NO_CODE],
  ['a code of another kind of scan', NO_SYMBOL, 1, dc(0) + ac(0x10) + END],
  ['a mean of too many bits', TOO_LARGE, 1, dc(12, '0'.repeat(12)) + END],
  ['means that add up to more than white', TOO_LARGE, 2, (dc(7, '1111111') + END).repeat(2)],
  ['a coefficient of too many bits', NO_SYMBOL, 1, dc(0) + ac(0x0b, '1'.repeat(11)) + END],
  ['too many zeros', TOO_MANY, 1, dc(0) + ac(0xf0).repeat(4) + END],
  ['too few blocks', TOO_SHORT, 9, EVEN.repeat(8)],
  ['too many blocks', TOO_LONG, 1, EVEN.repeat(2)],
  ['odd padding', 'coded data are padded with neither ones nor zeros', 1, `${dc(1, '1')}${END}0100111`],
  ['zeros', 'coded data are zeros, which no picture has', 8, '0'.repeat(8 * (4 + 63 * 5))],
])('a sequential scan with %s: %s', async (_, sign, blocks, bits) => {
  expect(await signOf(jpegOf(blocks, [{ bits }], 0xc0))).toBe(sign)
})

const MEANS = { bits: dc(0).repeat(8), range: [0, 0, 0] } as const
const RUN_OF_7 = ac(0x20, '11') + ac(0x00)

it.each<readonly [what: string, sign: string, bits: string]>([
  ['nothing wrong', 'sound', ac(0x01, '1') + ac(0x20, '11') + ac(0x01, '0') + END],
  ['blocks that end one by one, if all do', 'sound', END.repeat(8)],
  [
    'blocks that end one by one after some that end at once',
    'blocks end one by one that could end at once',
    RUN_OF_7,
  ],
  ['a longer run than there are blocks', 'a run of empty blocks is longer than its scan', ac(0x30, '111')],
  ['no code', NO_SYMBOL, NO_CODE],
  ['too many zeros', TOO_MANY, ac(0xf0).repeat(4) + ac(0x01, '1')],
  ['zeros', 'coded data are zeros, which no picture has', '0'.repeat(8 * 63 * 5)],
  ['zeros before nothing', 'sixteen zeros are coded before nothing', ac(0xf0) + END.repeat(8)],
  ['a coefficient of too many bits', TOO_LARGE, ac(0x0b, '1'.repeat(11)) + END.repeat(8)],
  ['too few blocks', TOO_SHORT, END.repeat(6)],
  ['too many blocks', TOO_LONG, ac(0x20, '11') + ac(0x01, '1') + END + ac(0x01, '1').repeat(9)],
])('a first scan of coefficients with %s: %s', async (_, sign, bits) => {
  expect(await signOf(jpegOf(8, [MEANS, { bits, range: [1, 63, 0] }], 0xc2))).toBe(sign)
})

it.each([
  ['means', 0],
  ['coefficients', 1],
])('a progressive scan of %s names a table that is not there', async (_, nth) => {
  const jpeg = jpegOf(8, [MEANS, { bits: END.repeat(8), range: [1, 63, 0] }], 0xc2)
  expect(await signOf(jpeg)).toBe('sound')
  let scan = -1
  for (let count = 0; count <= nth; count += 1) scan = jpeg.indexOf(Buffer.from([0xff, 0xda]), scan + 1)
  jpeg[scan + 6] = 0x33
  expect(await signOf(jpeg)).toBe('a scan refers to a Huffman table that is not there')
})

/** All eight blocks have their first coefficient, and one bit of each is left out. */
const FIRST = { bits: (ac(0x01, '1') + END).repeat(8), range: [1, 63, 1] } as const
/** A bit for the coefficient that is known. */
const REFINED = '1'

it.each<readonly [what: string, sign: string, bits: string]>([
  ['nothing wrong', 'sound', ac(0x01, '1') + REFINED + ac(0x30, '000') + REFINED.repeat(7)],
  ['a coefficient of several bits', 'a coefficient is refined by more than a bit', ac(0x02, '11')],
  ['no code', NO_SYMBOL, NO_CODE],
  ['too many zeros', TOO_MANY, ac(0xf0, REFINED) + ac(0xf0).repeat(3)],
  [
    'a longer run than there are blocks',
    'a run of empty blocks is longer than its scan',
    ac(0x30, '111') + REFINED.repeat(8),
  ],
  ['too few bits', TOO_SHORT, ac(0x30, '000') + REFINED],
])('a refining scan with %s: %s', async (_, sign, bits) => {
  const scans = [MEANS, FIRST, { bits, range: [1, 63, 0x10] }] as const
  expect(await signOf(jpegOf(8, scans, 0xc2))).toBe(sign)
})

it.each<readonly [what: string, sign: string, scans: readonly Scan[]]>([
  ['of means of too many bits', TOO_LARGE, [{ bits: dc(12, '0'.repeat(12)), range: [0, 0, 0] }]],
  ['of means beyond white', TOO_LARGE, [{ bits: dc(7, '1111111').repeat(8), range: [0, 0, 1] }]],
  ['of too few means', TOO_SHORT, [{ bits: dc(0).repeat(6), range: [0, 0, 0] }]],
  ['that sends what was sent', 'a JPEG lacks a part of its scans', [MEANS, MEANS]],
  ['that refines what was not sent', 'a JPEG lacks a part of its scans', [{ ...MEANS, range: [0, 0, 0x10] }]],
  ['that leaves a bit out for good', 'a JPEG lacks a part of its scans', [MEANS, FIRST]],
  ['that mixes means and coefficients', 'a scan header is none', [{ ...MEANS, range: [0, 5, 0] }]],
  ['that refines two bits at once', 'a scan header is none', [{ ...MEANS, range: [0, 0, 0x20] }]],
])('a progressive scan %s: %s', async (_, sign, scans) => {
  expect(await signOf(jpegOf(8, scans, 0xc2))).toBe(sign)
})

const sound = jpegOf(1, [{ bits: EVEN }], 0xc0)
const at = (code: number): number => sound.indexOf(Buffer.from([0xff, code]))
const withBytes = (position: number, ...bytes: readonly number[]): Buffer => {
  const copy = Buffer.from(sound)
  copy.set(bytes, position)
  return copy
}

it.each<readonly [what: string, sign: string, jpeg: Buffer]>([
  ['nothing wrong', 'sound', sound],
  ['no beginning', 'a JPEG does not begin as one', sound.subarray(1)],
  ['a second beginning', 'a JPEG starts again inside itself', Buffer.concat([sound.subarray(0, 2), sound])],
  ['a segment beyond its end', 'a file ends before its content', withBytes(at(0xc4) + 2, 0xff, 0)],
  ['a table of steps of zero', 'a quantisation table is none', withBytes(at(0xdb) + 5, 0)],
  ['a table of a third kind', 'a Huffman table is none', withBytes(at(0xc4) + 4, 0x20)],
  ['a table of too many codes', 'a Huffman table has more codes than fit', withBytes(at(0xc4) + 5, 3)],
  [
    'no code for its coefficients',
    'a scan refers to a Huffman table that is not there',
    withBytes(at(0xda) + 6, 3),
  ],
  ['a frame of no width', 'a frame header is none', withBytes(at(0xc0) + 7, 0, 0)],
  ['colours of no size', 'a frame header is none', withBytes(at(0xc0) + 11, 0x50)],
  ['no end', 'coded data are followed by no marker', sound.subarray(0, -2)],
])('a JPEG with %s: %s', async (_, sign, jpeg) => {
  expect(await signOf(jpeg)).toBe(sign)
})
