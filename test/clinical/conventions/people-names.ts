/** People whose names mean an eye, hold an eye’s letters, or come in several normal forms and scripts. */
import { eachShot, type Convention, plain, READ, type Style, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { plainNumbers } from '../ids.ts'
import { compactDay, drawNotation, LATIN, LETTERS } from '../notation.ts'
import {
  CODE_SURNAMES,
  CONTAINING_NAMES,
  DIGIT_NAMES,
  DOUBLE_NAMES,
  drawBirthDate,
  drawPerson,
  EYE_SURNAMES,
  type Name,
  PUNCTUATED_NAMES,
  WORLD_NAMES,
} from '../people.ts'
import type { Certainty, Person, Shot, Visit } from '../world.ts'

const LAYOUTS = [
  (person: Person, rest: string) => `${person.id}_${person.last}_${rest}`,
  (person: Person, rest: string) => `${person.last}_${person.first}_${person.id}_${rest}`,
  (person: Person, rest: string) => `${person.last} ${person.first}/${person.id}/${person.id}_${rest}`,
  (person: Person, rest: string) => `${person.id}-${person.last.toUpperCase()}/${person.id}_${rest}`,
] as const

/** Clinics with people of these names beside plain ones; the eye is stated by letter, by code, or not at all. */
function peopleCalled(
  name: string,
  names: readonly Name[],
  eye: 'stated' | 'not stated',
  kind: 'plain' | 'trap' = 'trap',
): Convention {
  const make = kind === 'plain' ? plain : trap
  return make(name, (draw): Style => {
    const numbering = plainNumbers(draw)
    const n = drawNotation(draw, eye === 'stated' ? [LATIN, LETTERS] : [LATIN])
    const layout = draw.style(LAYOUTS)
    return {
      facts: { ...READ, eye: eye === 'stated' ? 'read' : 'hidden' },
      person: (draw, index) =>
        drawPerson(draw, numbering(draw).id, [], index % 3 === 2 ? undefined : draw.pick(names)),
      write: eachShot((visit, shot, folder) => {
        const parts = [compactDay(visit.day), ...(eye === 'stated' ? [n.eye(shot.eye)] : []), shot.number]
        folder.picture(visit, shot, layout(visit.person, parts.join('_')) + n.extension, {
          facts: { eye: eyeOf(eye, n.terms === LETTERS, visit) },
        })
      }),
    }
  })
}

function eyeOf(eye: 'stated' | 'not stated', isLetter: boolean, visit: Visit): Certainty {
  if (eye === 'not stated') return 'hidden'
  return visit.isOneEyed && isLetter ? 'alone' : 'read'
}

const surnames = (lasts: readonly string[]): Name[] =>
  lasts.flatMap((last, index) => ({ last, first: ['Ana', 'Tom', 'Lea', 'Kenji'][index % 4]! }))

/** A birth date in the name, beside the visit's day or instead of it. */
function birthDateInName(name: string, years: readonly [number, number], hasDay: boolean): Convention {
  return trap(name, (draw) => {
    const numbering = plainNumbers(draw)
    const n = drawNotation(draw)
    const layout = draw.style([0, 1, 2])
    const pathOf = (visit: Visit, shot: Shot): string => {
      const { id, last, first, birthDate } = visit.person
      const born = compactDay(birthDate)
      const rest = [...(hasDay ? [compactDay(visit.day)] : []), n.eye(shot.eye), shot.ofEye].join('_')
      if (layout === 0) return `${last}_${first}_${born}_${id}_${rest}`
      if (layout === 1) return `${id}/${last}_${first}_${born}_${id}_${rest}`
      return `${id}_${born}/${id}_${rest}`
    }
    return {
      facts: { ...READ, day: hasDay ? 'read' : 'weak' },
      person: (draw) => ({
        ...drawPerson(draw, numbering(draw).id),
        birthDate: drawBirthDate(draw, ...years),
      }),
      write: (visit, folder) => {
        for (const shot of visit.shots) folder.picture(visit, shot, pathOf(visit, shot) + n.extension)
      },
    }
  })
}

/** The same name in composed and decomposed letters, in folder and file, or from one image to the next. */
const normalForms = trap('two normal forms of one name', (draw) => {
  const numbering = plainNumbers(draw)
  const n = drawNotation(draw)
  const change = draw.style(['folder and file', 'image to image', 'visit to visit'] as const)
  const names = WORLD_NAMES.filter(({ last }) => last.normalize('NFD') !== last)
  return {
    facts: READ,
    person: (draw) => drawPerson(draw, numbering(draw).id, [], draw.pick(names)),
    write: (visit, folder) => {
      const { id, last, first } = visit.person
      for (const shot of visit.shots) {
        const isDecomposed = change === 'image to image' ? shot.number % 2 === 0 : visit.index % 2 === 0
        const form = isDecomposed ? 'NFD' : 'NFC'
        const above = `${last} ${first}`.normalize(change === 'folder and file' ? 'NFC' : form)
        const below = last.normalize(change === 'folder and file' ? 'NFD' : form)
        const rest = [id, below, compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
        folder.picture(visit, shot, `${above}_${id}/${rest}${n.extension}`)
      }
    },
  }
})

/** A clinic's doctors, departments and programs beside the patient: the same on every name of the clinic. */
const CONSTANTS = ['Room3', 'DrWeber', 'Retina', 'NonMyd', 'Dept_Ophthalmology', 'CR-2', 'Macula45'] as const

const constants = plain(
  'room, doctor or program on every name',
  (draw) => {
    const n = drawNotation(draw)
    const text = draw.style(CONSTANTS)
    const layout = draw.style(['last', 'second', 'folder'] as const)
    return {
      facts: READ,
      write: (visit, folder) => {
        const { id } = visit.person
        for (const shot of visit.shots) {
          const rest = [compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
          const path = {
            last: `${id}_${rest}_${text}`,
            second: `${id}_${text}_${rest}`,
            folder: `${text}/${id}_${rest}`,
          }[layout]
          folder.picture(visit, shot, path + n.extension)
        }
      },
    }
  },
  { handsFree: 'with profile' },
)

const initials = trap('initials beside the number', (draw: Draw) => {
  const n = drawNotation(draw, [LATIN, LETTERS])
  const form = draw.style(['one', 'two', 'dotted'] as const)
  return {
    facts: READ,
    write: (visit, folder) => {
      const { id, last, first } = visit.person
      const text = { one: last[0]!, two: first[0]! + last[0]!, dotted: `${first[0]}.${last[0]}.` }[form]
      for (const shot of visit.shots) {
        const rest = [id, text, compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
        folder.picture(visit, shot, rest + n.extension, {
          facts: { eye: eyeOf('stated', n.terms === LETTERS, visit) },
        })
      }
    },
  }
})

export const peopleNames: readonly Convention[] = [
  peopleCalled('surnames that mean an eye, eye stated', surnames(EYE_SURNAMES), 'stated'),
  peopleCalled('surnames that mean an eye, no eye', surnames(EYE_SURNAMES), 'not stated'),
  peopleCalled('surnames like codes, eye stated', surnames(CODE_SURNAMES), 'stated'),
  peopleCalled('surnames like codes, no eye', surnames(CODE_SURNAMES), 'not stated'),
  peopleCalled('names that contain codes', CONTAINING_NAMES, 'stated'),
  peopleCalled('names that contain codes, no eye', CONTAINING_NAMES, 'not stated'),
  peopleCalled('apostrophes and dots', PUNCTUATED_NAMES, 'stated'),
  peopleCalled('double surnames', DOUBLE_NAMES, 'stated'),
  peopleCalled('digits in names', DIGIT_NAMES, 'stated'),
  peopleCalled('names of the world', WORLD_NAMES, 'stated', 'plain'),
  birthDateInName('birth date beside the day', [1931, 1998], true),
  birthDateInName('birth date of a child beside the day', [2001, 2024], true),
  birthDateInName('birth date and no day', [1931, 1998], false),
  birthDateInName('birth date of a child and no day', [2001, 2024], false),
  normalForms,
  constants,
  initials,
]
