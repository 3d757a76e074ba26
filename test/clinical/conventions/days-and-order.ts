/** Days in other orders, clocks that are wrong, late and doubled files, interleaved patients, damage. */
import {
  eachShotOfStudy,
  eachShot,
  type Convention,
  plain,
  PROOF,
  READ,
  shiftDay,
  trap,
} from '../convention.ts'
import { longNumbers, plainNumbers } from '../ids.ts'
import { clock, compactDay, DAY_FIRST, DAY_FORMATS, drawNotation, twelveHourClock } from '../notation.ts'
import { dicomHeader, statementsOf, uid } from '../sources.ts'
import type { Shot, Visit } from '../world.ts'

/** Day first: known if the day is above twelve, and else a reader cannot be sure which is the month. */
const dayFirst = trap('day before month', (draw) => {
  const n = drawNotation(draw)
  const form = draw.style(DAY_FIRST)
  return {
    facts: READ,
    write: (visit, folder) => {
      const isSure = Number(visit.day.slice(8)) > 12
      for (const shot of visit.shots) {
        const name = [visit.person.id, form(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
        folder.picture(visit, shot, name + n.extension, { facts: { day: isSure ? 'read' : 'weak' } })
      }
    },
  }
})

/** Month first, as in the United States. */
const monthFirst = trap('month before day', (draw) => {
  const n = drawNotation(draw)
  const separator = draw.style(['-', '.', '_'])
  return {
    facts: READ,
    write: (visit, folder) => {
      const [year = '', month = '', day = ''] = visit.day.split('-')
      const isSure = Number(day) > 12
      for (const shot of visit.shots) {
        const name = [visit.person.id, [month, day, year].join(separator), n.eye(shot.eye), shot.ofEye]
        folder.picture(visit, shot, name.join('_') + n.extension, {
          facts: { day: isSure ? 'read' : 'weak' },
        })
      }
    },
  }
})

/** Six digits: year, month, day; or day, month, year; or a patient number. */
const sixDigits = trap('day in six digits', (draw) => {
  const n = drawNotation(draw)
  const order = draw.style([
    (day: string) => compactDay(day).slice(2),
    (day: string) => day.slice(8) + day.slice(5, 7) + day.slice(2, 4),
  ])
  const position = draw.style(['behind', 'before'] as const)
  return {
    facts: { ...READ, who: 'weak', day: 'weak' },
    numbering: (draw) => ({ id: draw.digits(7), aliases: [] }),
    write: eachShot((visit, shot, folder) => {
      const parts = [visit.person.id, order(visit.day)]
      if (position === 'before') parts.reverse()
      folder.picture(visit, shot, [...parts, n.eye(shot.eye), shot.ofEye].join('_') + n.extension)
    }),
  }
})

const separatedDays = plain(
  'day with separators of its own',
  (draw) => {
    const n = drawNotation(draw)
    const day = draw.style(DAY_FORMATS.slice(1))
    return {
      facts: READ,
      write: eachShot((visit, shot, folder) => {
        folder.picture(
          visit,
          shot,
          `${visit.person.id} ${day(visit.day)} ${n.eye(shot.eye)} ${n.counter(shot)}${n.extension}`,
        )
      }),
    }
  },
  { handsFree: 'with profile' },
)

const timesInNames = plain(
  'day and time in several spellings',
  (draw) => {
    const n = drawNotation(draw)
    const time = draw.style([
      (shot: Shot) => clock(shot.atMs),
      (shot: Shot) => clock(shot.atMs, '-'),
      (shot: Shot) => twelveHourClock(shot.atMs),
    ])
    const numbering = longNumbers(draw)
    return {
      facts: READ,
      numbering,
      write: eachShot((visit, shot, folder) => {
        folder.picture(
          visit,
          shot,
          `${visit.person.id}/${visit.day}/${visit.person.id}_${time(shot)}_${n.eye(shot.eye)}${n.extension}`,
        )
      }),
    }
  },
  { handsFree: 'with profile' },
)

/** The camera's clock is wrong: its names state another day than the file. */
const wrongClock = trap('a camera’s clock is wrong', (draw) => {
  const n = drawNotation(draw)
  const off = draw.style([-3_650, -400, -30, 30])
  const carrier = draw.style(['names', 'DICOM'] as const)
  return {
    facts: { ...(carrier === 'DICOM' ? PROOF : READ), day: 'disputed' },
    write: (visit, folder) => {
      const study = uid(folder.draw)
      const day = shiftDay(visit.day, off)
      for (const shot of visit.shots) {
        const name = [visit.person.id, compactDay(day), n.eye(shot.eye), shot.ofEye].join('_')
        if (carrier === 'names') folder.picture(visit, shot, name + n.extension)
        else
          folder.picture(visit, shot, `${name}.dcm`, {
            dicom: dicomHeader(folder.draw, { ...statementsOf(visit, shot.eye), day }, study),
          })
      }
    },
  }
})

/** Visits of earlier years are exported today: the names are right, the files are new. */
const oldExams = trap('older visits exported today', (draw) => {
  const n = drawNotation(draw)
  const carrier = draw.style(['names', 'DICOM'] as const)
  const range = draw.style([
    [3, 20],
    [60, 300],
    [400, 2_000],
  ] as const)
  return {
    facts: { ...(carrier === 'DICOM' ? PROOF : READ), day: 'weak' },
    isEachOnce: true,
    examDay: (draw, day) => shiftDay(day, -draw.int(range[0], range[1])),
    write: eachShotOfStudy((visit, shot, folder, study) => {
      const name = [visit.person.id, compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
      if (carrier === 'names') folder.picture(visit, shot, name + n.extension)
      else
        folder.picture(visit, shot, `${name}.dcm`, {
          dicom: dicomHeader(folder.draw, statementsOf(visit, shot.eye), study),
        })
    }),
  }
})

const flatName = (visit: Visit, shot: Shot, eye: string): string =>
  [visit.person.id, compactDay(visit.day), eye, shot.ofEye].join('_')

/** One more photograph of a visit, after its case was closed. */
const lateImage = trap('a late image', (draw) => {
  const n = drawNotation(draw)
  const minutes = draw.style([4, 15, 90])
  return {
    facts: READ,
    write: eachShot((visit, shot, folder) => {
      const isLate = shot.number === visit.shots.length && shot.number > 1
      folder.picture(visit, shot, flatName(visit, shot, n.eye(shot.eye)) + n.extension, {
        atMs: shot.atMs + (isLate ? minutes * 60_000 : 0),
      })
    }),
  }
})

/** Two patients at two cameras at the same time, into one folder. */
const interleaved = plain('two cameras into one folder', (draw) => {
  const n = drawNotation(draw)
  const layout = draw.style(['flat', 'folders'] as const)
  return {
    facts: READ,
    minutesBetween: [-2, 0],
    perEye: [2, 3],
    secondsBetween: [15, 60],
    write: eachShot((visit, shot, folder) => {
      const name = flatName(visit, shot, n.eye(shot.eye)) + n.extension
      folder.picture(visit, shot, layout === 'flat' ? name : `${visit.person.id}/${name}`)
    }),
  }
})

/** The same bytes come again under another name. */
const reExport = trap('the same images exported again', (draw) => {
  const n = drawNotation(draw)
  const again = draw.style([
    (path: string) => `backup/${path}`,
    (path: string) => path.replace(/\.[a-z]+$/i, ' (2)$&'),
    (path: string) => path.replace(/\.[a-z]+$/i, '_copy$&'),
  ])
  const minutes = draw.style([1, 5, 120])
  return {
    facts: READ,
    write: eachShot((visit, shot, folder) => {
      const path = flatName(visit, shot, n.eye(shot.eye)) + n.extension
      const bytes = folder.picture(visit, shot, path)
      if (folder.draw.chance(0.7))
        folder.picture(visit, shot, again(path), { bytes, atMs: shot.atMs + minutes * 60_000 })
    }),
  }
})

/** New bytes of an image that was there: the camera stored it again under the same path. */
const storedAgain = trap('an image stored again under its name', (draw) => {
  const n = drawNotation(draw)
  const seconds = draw.style([3, 60, 600])
  const share = draw.style([0.3, 0.6])
  return {
    facts: READ,
    write: eachShot((visit, shot, folder) => {
      const path = flatName(visit, shot, n.eye(shot.eye)) + n.extension
      folder.picture(visit, shot, path)
      if (folder.draw.chance(share)) folder.picture(visit, shot, path, { atMs: shot.atMs + seconds * 1_000 })
    }),
  }
})

/** A DICOM file of the same SOP instance with other bytes. */
const sameInstance = trap('DICOM exported again with other bytes', (draw) => {
  const minutes = draw.style([1, 10, 60])
  const change = draw.style(['nothing', 'comment'] as const)
  const folderName = draw.style(['again', 'export2'])
  return {
    facts: PROOF,
    write: eachShotOfStudy((visit, shot, folder, study) => {
      const dicom = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
      const name = `${folder.draw.hex(8)}.dcm`
      const photograph = folder.picture(visit, shot, name, { dicom })
      folder.picture(visit, shot, `${folderName}/${name}`, {
        dicom: change === 'comment' ? { ...dicom, seriesDescription: 'exported again' } : dicom,
        photograph,
        atMs: shot.atMs + minutes * 60_000,
      })
    }),
  }
})

/** One of the images cannot be read; sometimes a sound one of the same name follows. */
const damage = trap('a damaged image', (draw) => {
  const n = drawNotation(draw)
  const numbering = plainNumbers(draw)
  const carrier = draw.style(['names', 'DICOM'] as const)
  const follows = draw.style(['nothing', 'soon', 'late'] as const)
  return {
    facts: carrier === 'DICOM' ? PROOF : READ,
    numbering,
    write: (visit, folder) => {
      const study = uid(folder.draw)
      const damaged = folder.draw.int(1, visit.shots.length)
      for (const shot of visit.shots) {
        const isDamaged = shot.number === damaged
        const dicom =
          carrier === 'DICOM' ? dicomHeader(folder.draw, statementsOf(visit, shot.eye), study) : null
        const path = flatName(visit, shot, n.eye(shot.eye)) + (dicom === null ? n.extension : '.dcm')
        folder.picture(visit, shot, path, { dicom, isDamaged })
        if (isDamaged && follows !== 'nothing')
          folder.picture(visit, shot, path, {
            dicom,
            atMs: shot.atMs + (follows === 'soon' ? 20_000 : 600_000),
          })
      }
    },
  }
})

/** A patient comes back on the same day: a second set of both eyes, hours later. */
const twiceADay = trap('the same patient twice a day', (draw) => {
  const numbering = plainNumbers(draw)
  const n = drawNotation(draw)
  const hasTime = draw.style([true, false])
  const gap = draw.style([
    [11, 15],
    [60, 100],
  ] as const)
  return {
    facts: READ,
    numbering,
    isOneDay: true,
    minutesBetween: gap,
    person: (draw, index, earlier) =>
      index % 2 === 1 ? earlier.at(-1)!.person : { ...samePerson, id: numbering(draw).id },
    write: eachShot((visit, shot, folder) => {
      const count = hasTime ? clock(shot.atMs) : String(visit.ofDay * 10 + shot.number)
      const name = [visit.person.id, compactDay(visit.day), n.eye(shot.eye), count].join('_')
      folder.picture(visit, shot, name + n.extension)
    }),
  }
})
const samePerson = { aliases: [], last: 'Lopez', first: 'Ana', birthDate: '1957-03-11', sex: 'F' } as const

export const daysAndOrder: readonly Convention[] = [
  dayFirst,
  monthFirst,
  sixDigits,
  separatedDays,
  timesInNames,
  wrongClock,
  oldExams,
  lateImage,
  interleaved,
  reExport,
  storedAgain,
  sameInstance,
  damage,
  twiceADay,
]
