/** Eyes in the languages of clinics, letters, and terms that are no eye. */
import { eachShot, type Convention, type Kind, plain, READ, trap } from '../convention.ts'
import {
  drawNotation,
  ENGLISH,
  ENGLISH_CODES,
  eyeCertainty,
  type EyeTerms,
  FOREIGN_LETTERS,
  FRENCH,
  GERMAN,
  ITALIAN,
  LETTERS,
  type Notation,
  PORTUGUESE,
  SHORT_FORMS,
  SPANISH,
} from '../notation.ts'
import type { Facts, Shot, Visit } from '../world.ts'

type PathOf = (n: Notation, visit: Visit, shot: Shot) => string

/** Three layouts in which an eye's term is a part of its own. */
const LAYOUTS: readonly PathOf[] = [
  (n, visit, shot) => [visit.person.id, n.day(visit.day), n.eye(shot.eye), n.counter(shot)].join(n.separator),
  (n, visit, shot) =>
    `${visit.person.id}/${[visit.person.id, n.day(visit.day)].join(n.separator)}/${[n.eye(shot.eye), n.counter(shot)].join(n.separator)}`,
  (n, visit, shot) =>
    `${visit.person.id}${n.separator}${n.day(visit.day)}/${n.eye(shot.eye)}/${n.counter(shot)}`,
]

function inTerms(
  kind: Kind,
  name: string,
  choices: readonly EyeTerms[],
  handsFree: Convention['handsFree'] = null,
  certainty: (terms: EyeTerms, visit: Visit) => Facts['eye'] = eyeCertainty,
): Convention {
  const make = kind === 'plain' ? plain : trap
  return make(
    name,
    (draw) => {
      const n = drawNotation(draw, choices)
      const path = draw.style(LAYOUTS)
      return {
        facts: READ,
        write: eachShot((visit, shot, folder) => {
          folder.picture(visit, shot, path(n, visit, shot) + n.extension, {
            facts: { eye: certainty(n.terms, visit) },
          })
        }),
      }
    },
    { handsFree },
  )
}

/** What a photograph shows, or what a clinic writes into names, and neither is an eye. */
const POSITIONS: readonly (readonly [string, string])[] = [
  ['upper_left', 'lower_right'],
  ['upper left', 'upper right'],
  ['links_oben', 'rechts_unten'],
  ['arriba_izquierda', 'arriba_derecha'],
  ['haut_gauche', 'haut_droite'],
  ['left_field', 'right_field'],
  ['nasal_left', 'temporal_right'],
]
const STEREO: readonly (readonly [string, string])[] = [
  ['stereo_L', 'stereo_R'],
  ['stereo1_L', 'stereo1_R'],
  ['StereoPair_L', 'StereoPair_R'],
  ['3D_L', '3D_R'],
  ['stereo_left', 'stereo_right'],
]
const DEGREES = ['Dr_Patel_OD', 'Dr Jones OD', 'Smith O.D.', 'Lee_OD_FAAO', 'Dr_Os', 'Dra_Izquierdo'] as const
const SITES = [
  'Left Bank Clinic',
  'Klinikum rechts der Isar',
  'Rive Gauche',
  'OD Ward',
  'links',
  'Right Wing',
  'Sala 2 OD',
  'OS_Backup',
] as const

/** Names with a text that looks like an eye and is none, and no eye at all: nothing could show it. */
function noEye(name: string, texts: readonly (string | readonly [string, string])[]): Convention {
  return trap(name, (draw) => {
    const n = drawNotation(draw)
    const text = draw.style(texts)
    return {
      facts: { ...READ, eye: 'hidden' },
      write: (visit, folder) => {
        const base = [visit.person.id, n.day(visit.day)].join('_')
        for (const shot of visit.shots) {
          // The text says nothing of the eye: each eye has both.
          const part = typeof text === 'string' ? text : folder.draw.pick(text)
          folder.picture(visit, shot, `${base}/${base}_${part}_${shot.number}${n.extension}`)
        }
      },
    }
  })
}

/** A folder that is called like an eye, above names that state both eyes. */
const folderAndEye = trap('folder called like an eye above both eyes', (draw) => {
  const n = drawNotation(draw)
  const site = draw.style(SITES)
  return {
    facts: READ,
    oneEyed: 0,
    write: (visit, folder) => {
      const base = [visit.person.id, n.day(visit.day)].join(n.separator)
      for (const shot of visit.shots) {
        const file = [base, n.eye(shot.eye), shot.ofEye].join(n.separator)
        folder.picture(visit, shot, `${site}/${visit.person.id}/${file}${n.extension}`)
      }
    },
  }
})

/** One more term on every name of a clinic, beside the eye that counts. */
const degreeAndEye = trap('degree or department beside the eye', (draw) => {
  const n = drawNotation(draw)
  const degree = draw.style(DEGREES)
  return {
    facts: READ,
    write: eachShot((visit, shot, folder) => {
      const parts = [visit.person.id, n.day(visit.day), degree, shot.eye === 'right' ? 'R' : 'L', shot.number]
      folder.picture(visit, shot, parts.join('_') + n.extension, {
        facts: { eye: visit.isOneEyed ? 'alone' : 'read' },
      })
    }),
  }
})

/** An eye's term in a folder and the other eye's letter in the file. */
const folderAgainstLetter = trap('folder and letter disagree', (draw) => {
  const n = drawNotation(draw)
  const names = draw.style([
    { right: 'OD', left: 'OS' },
    { right: 'Right', left: 'Left' },
    { right: 'rechts', left: 'links' },
  ])
  return {
    facts: READ,
    write: (visit, folder) => {
      const isWrong = folder.draw.chance(0.5)
      for (const shot of visit.shots) {
        const letter = (shot.eye === 'right') === isWrong ? 'L' : 'R'
        const path = `${visit.person.id}/${n.day(visit.day)}/${names[shot.eye]}/${visit.person.id}_${letter}_${shot.ofEye}`
        folder.picture(visit, shot, path + n.extension, {
          facts: { eye: isWrong ? 'disputed' : visit.isOneEyed ? 'alone' : 'read' },
        })
      }
    },
  }
})

/** Both eyes on one name: `OU`, `R+L`, `both`. */
const bothEyes = noEye('both eyes in one name', ['OU', 'R+L', 'both', 'AO', 'OD_OS', 'bilateral', 'ODS'])

export const eyeTerms: readonly Convention[] = [
  inTerms('plain', 'eye in English', ENGLISH, 'with profile'),
  inTerms('plain', 'eye in Spanish', SPANISH, 'with profile'),
  inTerms('plain', 'eye in German', GERMAN, 'with profile'),
  inTerms('plain', 'eye in French', FRENCH, 'with profile'),
  inTerms('plain', 'eye in Portuguese', PORTUGUESE, 'with profile'),
  inTerms('plain', 'eye in Italian', ITALIAN, 'with profile'),
  inTerms('plain', 'letters R and L', [LETTERS], 'with profile'),
  inTerms('plain', 'RE and LE', [ENGLISH_CODES], 'with profile'),
  // A stranger to the language may ask.
  inTerms('trap', 'short forms of one country', SHORT_FORMS, null, () => 'alone'),
  inTerms('trap', 'letters of other languages', FOREIGN_LETTERS, null, () => 'alone'),
  inTerms('trap', 'lower case letters', [{ right: 'r', left: 'l', single: 'alone' }]),
  noEye('positions of the field', POSITIONS),
  noEye('stereo pairs', STEREO),
  noEye('degrees and doctors, no eye', DEGREES),
  noEye('quadrants and channels', [
    ['N', 'T'],
    ['S', 'I'],
    ['D', 'M'],
    ['R', 'G'],
    ['disc', 'macula'],
    ['I', 'II'],
  ]),
  bothEyes,
  folderAndEye,
  degreeAndEye,
  folderAgainstLetter,
]
