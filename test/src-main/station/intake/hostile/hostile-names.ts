/** Names that no camera should write, and that a folder may hold all the same. */
import { pick, type Random } from '../../../../camera/random.ts'

const WORDS = [
  'IMG',
  'H-00',
  'OD',
  'R',
  'eye',
  'X_',
  'visit',
  '20261120',
  '2026-13-45',
  'D',
  '00000000',
  '💥',
] as const

function number(random: Random): string {
  return String(Math.floor(random() * 1_000_000))
}

type Naming = (random: Random) => string

/** Folders and stem; the extension follows. No two are alike, because each holds a number. */
const NAMINGS: readonly [Naming, ...Naming[]] = [
  (random) => `${pick(random, WORDS)}${number(random)}_${pick(random, WORDS)}`,
  (random) => `H-${number(random).padStart(5, '0')}_20261120/${pick(random, WORDS)}_${number(random)}`,
  (random) => `H-${number(random)}/${number(random)}/${number(random)}`,
  (random) => `ctrl\u0001\n\t\r\u001b[31m${number(random)}\u007f\u0085`,
  (random) => `\u202egpj.${number(random)}\u2066\u200b\ufeff`,
  (random) => `${'a'.repeat(240)}${number(random)}`.slice(0, 249),
  (random) => `${'ñ'.repeat(118)}${number(random)}`,
  (random) => `👁️‍🗨️🧿${number(random)}🇪🇸`,
  (random) => `CON.${number(random)}/AUX`,
  (random) => `..${number(random)}.. /...${number(random)} .`,
  (random) => `\\..\\..\\${number(random)}%2e%2e%2f`,
  (random) => `${'d/'.repeat(40)}${number(random)}`,
  (random) => `e\u0301\u0344${'\u0301'.repeat(40)}${number(random)}`,
  (random) => `-rf ${number(random)};$(reboot)\`'"<img src=x>{}[]*?`,
  (random) => `__proto__/constructor/${number(random)}`,
]
const EXTENSION_TRICKS = [
  '',
  '',
  '',
  '',
  '',
  '',
  '.tmp',
  '.JPG',
  '.jpg.exe',
  '.csv',
  '.xml',
  '.json',
  '.dcm',
  '.zip',
  ' ',
  '.',
] as const

export function hostileName(random: Random, extension: string): string {
  const stem = pick(random, NAMINGS)(random)
  const name = `${stem}${extension}${pick(random, EXTENSION_TRICKS)}`
  // The longest that file systems take, in bytes, for each part.
  return name
    .split('/')
    .map((part) =>
      Buffer.byteLength(part) > 255 ? Buffer.from(part).subarray(0, 200).toString() + extension : part,
    )
    .join('/')
}
