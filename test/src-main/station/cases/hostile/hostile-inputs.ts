/** Files that are damaged, malicious, or not what they call themselves. A seed decides all of them. */
import { encodeBmp } from '../../../../camera/draw-fundus.ts'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { pick, type Random, randomFrom } from '../../../../camera/random.ts'
import { drawing } from '../../../reader/draw-images.ts'
import { zipOf } from '../../../reader/draw-zips.ts'
import { mutationsOf } from '../../../reader/mutations.ts'

export type HostileInput = { readonly path: string; readonly bytes: Buffer }

type Base = { readonly extension: string; readonly bytes: Buffer }

const DICOM_UID = '2.25.297362505'
const PATIENT = { patientId: 'H-00050', studyDate: '20261120', sopUid: DICOM_UID }

async function pictures(): Promise<readonly Base[]> {
  const [width, height] = [30, 20]
  const drawn = drawing(width, height)
  const image = { rgb: await drawn.clone().raw().toBuffer(), width, height }
  return [
    { extension: '.jpg', bytes: await drawn.clone().jpeg().toBuffer() },
    { extension: '.jpg', bytes: await drawn.clone().jpeg({ progressive: true }).toBuffer() },
    { extension: '.png', bytes: await drawn.clone().png().toBuffer() },
    { extension: '.tif', bytes: await drawn.clone().tiff({ compression: 'lzw' }).toBuffer() },
    { extension: '.tif', bytes: await drawn.clone().tiff({ compression: 'none' }).toBuffer() },
    { extension: '.bmp', bytes: encodeBmp(Buffer.alloc(19 * 11 * 3, 0x5a), { width: 19, height: 11 }) },
    { extension: '.dcm', bytes: await dicomFile({ ...PATIENT, transferSyntax: 'explicitLittle', image }) },
    { extension: '.dcm', bytes: await dicomFile({ ...PATIENT, transferSyntax: 'rle', image }) },
    { extension: '', bytes: await dicomFile({ ...PATIENT, image, frames: 2 }) },
  ]
}

const XML = `<?xml version="1.0" encoding="UTF-8"?><case><history_number>H-00051</history_number><first_name>Ana</first_name>
<visit_date>2026-11-20</visit_date><od_iop>14,5</od_iop><image eye="OD" file="IMG_1.jpg"/></case>`
const CSV =
  'history_number;first_name;visit_date;od_iop;file;eye\r\nH-00052;Ana;2026-11-20;14,5;IMG_1.jpg;OD\r\nH-00053;"A;b";2026-11-19;;IMG_2.jpg;OS\r\n'
const JSON_TEXT =
  '{"history_number": "H-00054", "visit_date": "2026-11-20", "images": {"IMG_1.jpg": "OD"}, "od_iop": 14.5}'

function texts(): readonly Base[] {
  return [
    { extension: '.xml', bytes: Buffer.from(XML) },
    { extension: '.xml', bytes: Buffer.from(`\ufeff${XML}`, 'utf16le') },
    { extension: '.csv', bytes: Buffer.from(CSV) },
    { extension: '.csv', bytes: Buffer.from(CSV, 'latin1') },
    { extension: '.json', bytes: Buffer.from(JSON_TEXT) },
    { extension: '/case.json', bytes: Buffer.from(JSON_TEXT) },
  ]
}

async function archives([jpeg, , png]: readonly Base[]): Promise<readonly Base[]> {
  if (!jpeg || !png) throw new Error('two are drawn')
  const bytes = await zipOf([
    { name: 'H-00055/OD_1.jpg', bytes: jpeg.bytes },
    { name: 'H-00055/OS_1.png', bytes: png.bytes, options: { compress: false } },
    { name: 'H-00055/case.json', bytes: Buffer.from(JSON_TEXT) },
  ])
  return [{ extension: '.zip', bytes }]
}

/** Each tries one thing that programs have died of. */
async function traps([jpeg, , png, , tiff, bmp, dicom]: readonly Base[]): Promise<readonly Base[]> {
  if (!jpeg || !png || !tiff || !bmp || !dicom) throw new Error('they are drawn')
  const changed = (base: Base, change: (bytes: Buffer) => void): Base => {
    const bytes = Buffer.from(base.bytes)
    change(bytes)
    return { ...base, bytes }
  }
  const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
    '',
  )
  const of = (extension: string, content: Buffer | string): Base => ({
    extension,
    bytes: Buffer.from(content as string),
  })
  const many = Array.from({ length: 300 }, (_, n) => ({ name: `d/${n}.txt`, bytes: Buffer.from('x') }))
  const inner = await zipOf([{ name: 'a.jpg', bytes: jpeg.bytes }])
  const external = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
  return [
    of('.jpg', ''),
    of('.jpg', Buffer.alloc(70_000)),
    of('.jpg', Buffer.from([0xff, 0xd8, 0xff])),
    of('.jpg', Buffer.concat([jpeg.bytes, jpeg.bytes, Buffer.alloc(5_000, 0xff)])),
    of('.jpg', '#!/bin/sh\nreboot\n'),
    changed(png, (bytes) => bytes.writeUInt32BE(0x7f_ff_ff_ff, 16)),
    changed(png, (bytes) => bytes.writeUInt32BE(60_000, 20)),
    changed(bmp, (bytes) => bytes.writeInt32LE(0x7f_ff_ff_ff, 18)),
    changed(bmp, (bytes) => bytes.writeInt32LE(-0x80_00_00_00, 22)),
    // A directory that follows itself.
    changed(tiff, (bytes) => bytes.writeUInt32LE(8, bytes.length - 4)),
    of('.dcm', dicom.bytes.subarray(0, 132)),
    of('.dcm', Buffer.concat([dicom.bytes.subarray(0, 140), Buffer.alloc(4_000, 0xff)])),
    of('.xml', `<!DOCTYPE x [<!ENTITY e0 "ha">${entities}]><case>&e9;</case>`),
    of('.xml', `${external}<case><history_number>&e;</history_number></case>`),
    of('.xml', '<a>'.repeat(100_000)),
    of('.json', '['.repeat(100_000)),
    of(
      '.json',
      '{"__proto__": {"history_number": "H-1"}, "constructor": 1, "history_number": {"toString": 1}}',
    ),
    of(
      '/case.json',
      '{"history_number": "../../etc/passwd", "images": {"../../../x.jpg": "OD", "__proto__": "OS"}}',
    ),
    of('.csv', `history_number;${'"'.repeat(50_001)}`),
    of('.csv', `history_number${';'.repeat(60_000)}\r\n`.repeat(4)),
    of('.csv', `history_number;visit_date\r\n${'=cmd|calc;9999-99-99\r\n'.repeat(2_000)}`),
    of('.zip', await zipOf([{ name: 'zeros.png', bytes: Buffer.alloc(9_000_000) }])),
    of('.zip', await zipOf(many)),
    of('.zip', await zipOf([])),
    of('.zip', await zipOf([{ name: 'in.zip', bytes: inner }])),
  ]
}

/** Much is wrong, one byte is wrong, or nothing but the name. */
function hurt(whole: Buffer, copies: Generator<Buffer>, random: Random): Buffer {
  const kind = random()
  const next = copies.next()
  if (kind < 0.05 || next.done === true) return whole
  if (kind < 0.6) return next.value
  const bytes = Buffer.from(whole)
  bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
  return bytes
}

/** So many inputs, always the same ones for a seed. */
export async function hostileInputs(count: number, seed: number): Promise<readonly HostileInput[]> {
  const random = randomFrom(seed)
  const drawn = await pictures()
  const bases = [...drawn, ...texts(), ...(await archives(drawn))]
  const each = Math.ceil(count / bases.length)
  const mutated = bases.map((base) => ({ base, copies: mutationsOf(base.bytes, each) }))
  const made: HostileInput[] = []
  for (const { extension, bytes } of await traps(drawn))
    made.push({ path: hostileName(random, made.length, extension), bytes })
  for (let nth = 0; made.length < count; nth += 1) {
    const { base, copies } = mutated[nth % mutated.length] ?? { base: undefined, copies: undefined }
    if (!base) break
    const bytes = withOwnPatient(hurt(base.bytes, copies, random), random)
    made.push({ path: hostileName(random, made.length, base.extension), bytes })
  }
  return inFolders(made.slice(0, count))
}

/** Most are of patients of their own, and images of their own: else all would be copies of a few. */
function withOwnPatient(bytes: Buffer, random: Random): Buffer {
  const digits = (count: number): string => random().toFixed(count).slice(2)
  const [id, uid] = random() < 0.95 ? [`H-${digits(5)}`, `2.25.${digits(9)}`] : ['H-00050', DICOM_UID]
  const text = bytes
    .toString('latin1')
    .replaceAll(/H-0005\d/g, id)
    .replaceAll(DICOM_UID, uid)
  return Buffer.from(text, 'latin1')
}

/** Many folders, none of them with many files. */
function inFolders(inputs: readonly HostileInput[]): readonly HostileInput[] {
  return inputs.map(({ path, bytes }, index) => ({ path: `${index % 499}/${path}`, bytes }))
}

const PARTS = ['IMG', ...'H-00 OD R eye X_ visit 20261120 2026-13-45 D 00000000 💥'.split(' ')] as const

type Naming = (number: string, random: Random) => string

/** Folders and stem; the extension follows. No two are alike, because each holds a number of its own. */
const NAMINGS: readonly [Naming, ...Naming[]] = [
  (number, random) => `${pick(random, PARTS)}${number}_${pick(random, PARTS)}`,
  (number, random) => `H-${number.padStart(5, '0')}_20261120/${pick(random, PARTS)}_${number}`,
  (number) => `H-${number}/${number}/${number}`,
  (number) => `ctrl\u0001\n\t\r\u001b[31m${number}\u007f\u0085`,
  (number) => `\u202egpj.${number}\u2066\u200b\ufeff`,
  (number) => `${'a'.repeat(240)}${number}`.slice(0, 249),
  (number) => `${'ñ'.repeat(118)}${number}`,
  (number) => `👁️‍🗨️🧿${number}🇪🇸`,
  (number) => `CON.${number}/AUX`,
  (number) => `..${number}.. /...${number} .`,
  (number) => `\\..\\..\\${number}%2e%2e%2f`,
  (number) => `${'d/'.repeat(40)}${number}`,
  (number) => `e\u0301\u0344${'\u0301'.repeat(40)}${number}`,
  (number) => `-rf ${number};$(reboot)\`'"<img src=x>{}[]*?`,
  (number) => `__proto__/constructor/${number}`,
]
/** Mostly none. */
const EXTENSION_TRICKS = ['', ...'|||||.tmp|.JPG|.jpg.exe|.csv|.xml|.json|.dcm|.zip| |.'.split('|')] as const

/** Names that no camera should write, and that a folder may hold anyway. `number` is like no other; the answer is a path inside a folder. */
function hostileName(random: Random, number: number, extension: string): string {
  const stem = pick(random, NAMINGS)(String(number), random)
  const name = `${stem}${extension}${pick(random, EXTENSION_TRICKS)}`
  // The longest that file systems take, in bytes, for each part.
  return name
    .split('/')
    .map((part) =>
      Buffer.byteLength(part) > 255 ? Buffer.from(part).subarray(0, 200).toString() + extension : part,
    )
    .join('/')
}
