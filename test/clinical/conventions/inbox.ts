/** Folders without a number: who is next shows only in time, or not at all. */
import { eachShot, type Convention, READ, type Style, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { plainNumbers } from '../ids.ts'
import { clock, compactDay, drawNotation, LATIN, LETTERS } from '../notation.ts'
import { jsonText, statementsOf, drawDocumentStyle } from '../sources.ts'
import type { Facts, Shot, Visit } from '../world.ts'

const INBOXES = ['inbox', 'Sala 2', 'Retina', 'Export', 'DCIM/100CANON', 'Eingang', 'today'] as const

const UNNUMBERED: Facts = { who: 'hidden', day: 'weak', eye: 'read' }

type Naming = {
  readonly path: (visit: Visit, shot: Shot, eye: string) => string
  readonly eye: Facts['eye']
  readonly day: Facts['day']
}

const NAMINGS: Readonly<Record<string, Naming>> = {
  'day, time and eye': {
    path: (visit, shot, eye) => `${compactDay(visit.day)}_${clock(shot.atMs)}_${eye}`,
    eye: 'read',
    day: 'read',
  },
  'time and eye': {
    path: (_visit, shot, eye) => `${clock(shot.atMs, '-')} ${eye}`,
    eye: 'read',
    day: 'weak',
  },
  counter: {
    path: (visit, shot) => `IMG_${String(visit.index * 20 + shot.number).padStart(4, '0')}`,
    eye: 'hidden',
    day: 'weak',
  },
  'counter and eye': {
    path: (visit, shot, eye) => `${String(visit.index * 20 + shot.number).padStart(5, '0')}_${eye}`,
    eye: 'read',
    day: 'weak',
  },
}

/** Patients one after another in one folder; the pause between two of them is short, long, or none at all. */
function inbox(name: string, gaps: readonly (readonly [number, number])[], oneEyed = 0.1): Convention {
  return trap(name, (draw): Style => {
    const above = draw.style(INBOXES)
    const naming = draw.style(Object.values(NAMINGS))
    const n = drawNotation(draw, [LATIN, LETTERS])
    return {
      facts: { ...UNNUMBERED, eye: naming.eye, day: naming.day },
      oneEyed,
      minutesBetween: draw.style(gaps),
      write: eachShot((visit, shot, folder) => {
        const path = `${above}/${naming.path(visit, shot, n.eye(shot.eye))}${n.extension}`
        const isAlone = visit.isOneEyed && naming.eye === 'read'
        folder.picture(visit, shot, path, { facts: isAlone ? { eye: 'alone' } : {} })
      }),
    }
  })
}

/** The camera writes the same names for every patient. */
const sameNames = trap('OD.jpg and OS.jpg written over', (draw) => {
  const above = draw.style(INBOXES)
  const names = draw.style([
    { right: 'OD', left: 'OS' },
    { right: 'right', left: 'left' },
    { right: 'R', left: 'L' },
    { right: 'IMG_0001', left: 'IMG_0002' },
  ])
  const gap = draw.style([
    [0, 2],
    [4, 12],
    [20, 60],
  ] as const)
  return {
    facts: { ...UNNUMBERED, eye: names.right.startsWith('IMG') ? 'hidden' : 'weak' },
    perEye: [1, 1],
    minutesBetween: gap,
    write: (visit, folder) => {
      for (const shot of visit.shots) folder.picture(visit, shot, `${above}/${names[shot.eye]}.jpg`)
    },
  }
})

/** The first image of a patient bears the number, the others only the time. */
const firstIsNumbered = trap('only the first image is numbered', (draw) => {
  const numbering = plainNumbers(draw)
  const above = draw.style(INBOXES)
  const n = drawNotation(draw)
  const gap = draw.style([
    [0, 1],
    [5, 30],
  ] as const)
  return {
    facts: { ...READ, who: 'weak' },
    numbering,
    minutesBetween: gap,
    write: eachShot((visit, shot, folder) => {
      const rest = `${compactDay(visit.day)}_${clock(shot.atMs)}_${n.eye(shot.eye)}`
      const isFirst = shot.number === 1
      folder.picture(visit, shot, `${above}/${isFirst ? `${visit.person.id}_` : ''}${rest}${n.extension}`, {
        facts: isFirst ? { who: 'read' } : {},
      })
    }),
  }
})

/** A sidecar for one image of the visit, none for the others. */
const oneSidecar = trap('one image of a visit has a sidecar', (draw) => {
  const style = drawDocumentStyle(draw)
  const above = draw.style(INBOXES)
  const gap = draw.style([
    [0, 1],
    [5, 30],
  ] as const)
  return {
    facts: { who: 'weak', day: 'weak', eye: 'read' },
    minutesBetween: gap,
    write: eachShot((visit, shot, folder) => {
      const stem = `${above}/${clock(shot.atMs)}${visit.index}_${shot.eye === 'right' ? 'OD' : 'OS'}`
      const isFirst = shot.number === 1
      folder.picture(visit, shot, `${stem}.jpg`, {
        facts: isFirst ? { who: 'proof', day: 'proof', eye: 'proof' } : {},
      })
      if (isFirst)
        folder.data(`${stem}.json`, jsonText(style, statementsOf(visit, shot.eye)), shot.atMs + 1_000)
    }),
  }
})

/** A folder for each patient that the camera numbers; no patient is stated. */
const cameraFolders = trap('folders that the camera counts', (draw: Draw) => {
  const n = drawNotation(draw)
  const above = draw.style([
    (visit: Visit) => `Exam ${visit.index + 1}`,
    (visit: Visit) => `${compactDay(visit.day)}/${String(visit.ofDay).padStart(3, '0')}`,
    (visit: Visit) => `New folder (${visit.index + 1})`,
    (visit: Visit) => `Patient${visit.ofDay}_${visit.day}`,
  ])
  return {
    facts: UNNUMBERED,
    write: eachShot((visit, shot, folder) => {
      folder.picture(visit, shot, `${above(visit)}/${n.eye(shot.eye)}_${n.counter(shot)}${n.extension}`)
    }),
  }
})

/** Numbered images and images without a number, of another patient, in one folder. */
const mixedFolder = trap('numbered and unnumbered patients by turns', (draw) => {
  const numbering = plainNumbers(draw)
  const above = draw.style(INBOXES)
  const n = drawNotation(draw)
  const gap = draw.style([
    [0, 1],
    [2, 4],
    [8, 30],
  ] as const)
  return {
    facts: READ,
    numbering,
    minutesBetween: gap,
    write: (visit, folder) => {
      const isNumbered = visit.index % 2 === 0
      for (const shot of visit.shots) {
        const rest = `${compactDay(visit.day)}_${clock(shot.atMs)}_${n.eye(shot.eye)}${n.extension}`
        folder.picture(visit, shot, `${above}/${isNumbered ? `${visit.person.id}_` : ''}${rest}`, {
          facts: { who: isNumbered ? 'read' : 'hidden' },
        })
      }
    },
  }
})

export const inboxes: readonly Convention[] = [
  inbox('inbox, patients seconds apart', [
    [0, 0],
    [0, 1],
  ]),
  inbox('inbox, patients minutes apart', [
    [2, 4],
    [5, 15],
  ]),
  inbox('inbox, patients far apart', [
    [20, 40],
    [60, 90],
  ]),
  inbox(
    'inbox, one eye each',
    [
      [0, 1],
      [5, 20],
    ],
    1,
  ),
  sameNames,
  firstIsNumbered,
  oneSidecar,
  cameraFolders,
  mixedFolder,
]
