/** Patient numbers of many countries, and numbers beside them that are none. */
import { eachShot, type Convention, plain, READ, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import {
  danish,
  dotted,
  hexadecimal,
  hyphenated,
  italian,
  lettered,
  nhs,
  norwegian,
  type Numbering,
  plainNumbers,
  polish,
  running,
  spanish,
  swedish,
} from '../ids.ts'
import { clock, compactDay, drawNotation } from '../notation.ts'
import type { Shot, Visit } from '../world.ts'

type Options = {
  readonly handsFree?: Convention['handsFree']
  readonly isTrap?: boolean
  readonly source?: string
}

/** Names that begin with a number of this kind, in three layouts. */
function numbered(name: string, numberingOf: (draw: Draw) => Numbering, options: Options = {}): Convention {
  const { isTrap = false, handsFree = 'with profile', ...rest } = options
  const make = isTrap ? trap : plain
  return make(
    name,
    (draw) => {
      const numbering = numberingOf(draw)
      const n = drawNotation(draw)
      const layout = draw.style(['flat', 'folder', 'twice'] as const)
      return {
        facts: READ,
        numbering,
        write: (visit, folder) => {
          const { id } = visit.person
          for (const shot of visit.shots) {
            const rest = [compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
            const path = { flat: `${id}_${rest}`, folder: `${id}/${rest}`, twice: `${id}/${id}_${rest}` }[
              layout
            ]
            folder.picture(visit, shot, path + n.extension)
          }
        },
      }
    },
    { handsFree: isTrap ? null : handsFree, ...rest },
  )
}

const exam = (draw: Draw, digits: number): string => draw.digits(digits)

/** A number beside the patient's that is another thing: exam, accession, device, order. */
function secondNumber(
  name: string,
  second: (draw: Draw, visit: Visit, shot: Shot) => string,
  certainty: 'read' | 'weak',
): Convention {
  return trap(name, (draw) => {
    const n = drawNotation(draw)
    const layout = draw.style(['after', 'before', 'folder'] as const)
    const length = draw.style([6, 7, 8])
    return {
      facts: { ...READ, who: certainty },
      numbering: (draw) => ({ id: draw.digits(length), aliases: [] }),
      write: (visit, folder) => {
        const { id } = visit.person
        const extra = second(folder.draw, visit, visit.shots[0]!)
        for (const shot of visit.shots) {
          const rest = [compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
          const path = {
            after: `${id}_${extra}_${rest}`,
            before: `${extra}_${id}_${rest}`,
            folder: `${id}/${extra}/${id}_${rest}`,
          }[layout]
          folder.picture(visit, shot, path + n.extension)
        }
      },
    }
  })
}

/** The folder's number and the file's differ by a typing error: neither is known to be right. */
const lostDigit = trap('a digit lost or doubled', (draw) => {
  const numbering = plainNumbers(draw)
  const n = drawNotation(draw)
  const slip = draw.style([
    (id: string, at: number) => id.slice(0, at) + id.slice(at + 1),
    (id: string, at: number) => id.slice(0, at) + id[at] + id.slice(at),
    (id: string, at: number) => id.slice(0, at) + String((Number(id[at]) + 1) % 10) + id.slice(at + 1),
  ])
  return {
    facts: READ,
    numbering,
    write: (visit, folder) => {
      const { id } = visit.person
      const isWrong = folder.draw.chance(0.5)
      const wrong = isWrong ? slip(id, folder.draw.int(1, id.length - 1)) : id
      const [above, below] = folder.draw.chance(0.5) ? [id, wrong] : [wrong, id]
      for (const shot of visit.shots) {
        const file = [below, compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
        folder.picture(visit, shot, `${above}/${file}${n.extension}`, {
          facts: { who: wrong === id ? 'read' : 'disputed' },
        })
      }
    },
  }
})

/** The number begins like an eye's code, and the eye itself is a letter of its own. */
const letterInNumber = trap('an eye’s letters in the number', (draw) => {
  const n = drawNotation(draw)
  const prefix = draw.style(['OS-', 'OD-', 'R-', 'L-', 'OD', 'RE-'])
  return {
    facts: READ,
    numbering: (draw) => ({ id: prefix + draw.digits(7), aliases: [] }),
    write: (visit, folder) => {
      const { id } = visit.person
      for (const shot of visit.shots) {
        const letter = shot.eye === 'right' ? 'R' : 'L'
        folder.picture(
          visit,
          shot,
          `${id}/${id}_${compactDay(visit.day)}_${letter}_${shot.ofEye}${n.extension}`,
          { facts: { eye: visit.isOneEyed ? 'alone' : 'read' } },
        )
      }
    },
  }
})

/** Two patients whose numbers differ only in the check letter, on the same day. */
const checkLetters = trap('numbers that differ in the last letter', (draw) => {
  const n = drawNotation(draw)
  const separator = draw.style(['-', '', ' '])
  const length = draw.style([3, 5, 8])
  let body = ''
  return {
    facts: READ,
    isOneDay: true,
    oneEyed: 0.5,
    numbering: (draw) => {
      const isSecond = body !== ''
      const number = isSecond ? body : draw.digits(length)
      body = isSecond ? '' : number
      return { id: `${number}${separator}${isSecond ? 'L' : 'R'}`, aliases: [] }
    },
    write: (visit, folder) => {
      const { id } = visit.person
      for (const shot of visit.shots)
        folder.picture(
          visit,
          shot,
          `${id}/${id}_${compactDay(visit.day)}_${n.eye(shot.eye)}_${shot.ofEye}${n.extension}`,
        )
    },
  }
})

/** A time or a timestamp beside the eye, and no number anywhere. */
const timesOnly = trap('times instead of numbers', (draw) => {
  const n = drawNotation(draw)
  const form = draw.style(['clock', 'stamp', 'day and clock'] as const)
  const used = new Set<string>()
  /** Of two patients with one stamp, no reader could know that they are two. */
  const stampOf = (atMs: number): string => {
    const stamp = String(atMs % 100_000).padStart(5, '0')
    if (used.has(stamp)) return stampOf(atMs + 1)
    used.add(stamp)
    return stamp
  }
  return {
    facts: { who: 'hidden', day: form === 'clock' ? 'read' : 'weak', eye: 'read' },
    write: eachShot((visit, shot, folder) => {
      const eye = n.eye(shot.eye)
      const path = {
        clock: `${visit.day}/${clock(shot.atMs)}_${eye}`,
        stamp: `${visit.day}/${shot.atMs}_${eye}`,
        'day and clock': `${compactDay(visit.day)}_${clock(shot.atMs)}_${stampOf(shot.atMs)}_${eye}`,
      }[form]
      folder.picture(visit, shot, path + n.extension, {
        facts: { eye: visit.isOneEyed ? 'alone' : 'read' },
      })
    }),
  }
})

/** The number of one visit's exam is the number of another patient of the clinic. */
const anotherPatientsNumber = trap('another patient’s number as exam number', (draw) => {
  const n = drawNotation(draw)
  const length = draw.style([6, 7, 8])
  const label = draw.style(['', 'E', 'exam'])
  let last = ''
  return {
    facts: READ,
    numbering: (draw) => ({ id: draw.digits(length), aliases: [] }),
    write: (visit, folder) => {
      const { id } = visit.person
      const second = last === '' || label !== '' ? folder.draw.digits(length) : last
      last = id
      for (const shot of visit.shots)
        folder.picture(
          visit,
          shot,
          `${id}_${label}${second}/${id}_${compactDay(visit.day)}_${n.eye(shot.eye)}_${shot.ofEye}${n.extension}`,
          { facts: { who: label === '' ? 'weak' : 'read' } },
        )
    },
  }
})

export const numbers: readonly Convention[] = [
  numbered('NHS numbers with spaces', () => nhs(' ')),
  numbered('NHS numbers with hyphens', (draw) => nhs(draw.style(['-', '']))),
  numbered('Norwegian numbers', (draw) => norwegian(draw.style([' ', '']))),
  numbered('Swedish numbers', (draw) => swedish(draw.style([2, 4] as const))),
  numbered('Danish numbers', () => danish),
  numbered('Polish numbers', () => polish),
  numbered('Italian codes', () => italian),
  numbered('Spanish NIF', (draw) => spanish('nif', draw.style(['', '-']))),
  numbered('Spanish NIE', (draw) => spanish('nie', draw.style(['', '-']))),
  numbered('hyphenated numbers', () => hyphenated),
  numbered('dotted numbers', () => dotted),
  numbered('running numbers', running, { isTrap: true }),
  numbered('numbers with letters at both ends', () => lettered, { isTrap: true }),
  numbered('hexadecimal numbers', () => hexadecimal, { isTrap: true }),
  secondNumber('exam number beside the number', (draw) => exam(draw, 5), 'weak'),
  secondNumber('accession number with a label', (draw) => `ACC${exam(draw, 8)}`, 'read'),
  secondNumber('device serial beside the number', () => 'SN48213', 'read'),
  secondNumber('exam number of the same length', (draw) => exam(draw, 7), 'weak'),
  lostDigit,
  letterInNumber,
  checkLetters,
  timesOnly,
  anotherPatientsNumber,
]
