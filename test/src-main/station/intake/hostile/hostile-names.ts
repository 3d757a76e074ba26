/** Names that no camera should write, and that a folder may hold anyway. */
import { pick, type Random } from '../../../../camera/random.ts'

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

/** `number` is like no other; the answer is a path inside a folder. */
export function hostileName(random: Random, number: number, extension: string): string {
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
