/** Layouts in which names alone say everything, as any reader knows. */
import { eachShot, type Convention, NO_DAY, plain, READ } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { longNumbers, padded, plainNumbers, prefixed } from '../ids.ts'
import { clock, drawNotation, eyeCertainty, type Notation } from '../notation.ts'
import type { Shot, Visit } from '../world.ts'

/** A convention whose pictures have the path that `path` gives them. */
function named(
  name: string,
  path: (notation: Notation, visit: Visit, shot: Shot, draw: Draw) => string,
  options: { readonly hasDay?: boolean; readonly hasTime?: boolean } = {},
): Convention {
  const { hasDay = true, hasTime = false } = options
  return plain(
    name,
    (draw) => {
      const notation = drawNotation(draw)
      return {
        facts: hasDay ? READ : NO_DAY,
        numbering: hasTime ? longNumbers(draw) : plainNumbers(draw),
        isEachOnce: !hasDay,
        write: eachShot((visit, shot, folder) => {
          folder.picture(visit, shot, path(notation, visit, shot, folder.draw) + notation.extension, {
            facts: { eye: eyeCertainty(notation.terms, visit) },
          })
        }),
      }
    },
    { handsFree: hasDay ? 'with profile' : null },
  )
}

const joined = ({ separator }: Notation, ...parts: readonly string[]): string => parts.join(separator)

const numberFirst = (n: Notation, visit: Visit, shot: Shot): string =>
  joined(n, visit.person.id, n.day(visit.day), n.eye(shot.eye), n.counter(shot))

export const plainNames: readonly Convention[] = [
  named('flat number-day-eye', numberFirst),
  named(
    'folder repeats number and day',
    (n, visit, shot) => `${joined(n, visit.person.id, n.day(visit.day))}/${numberFirst(n, visit, shot)}`,
  ),
  named(
    'folders number, day; file eye',
    (n, visit, shot) =>
      `${visit.person.id}/${n.day(visit.day)}/${joined(n, n.eye(shot.eye), n.counter(shot))}`,
  ),
  named(
    'folders day, number; file eye',
    (n, visit, shot) =>
      `${n.day(visit.day)}/${visit.person.id}/${joined(n, n.eye(shot.eye), n.counter(shot))}`,
  ),
  named(
    'folders number, day, eye',
    (n, visit, shot) =>
      `${visit.person.id}/${n.day(visit.day)}/${n.eye(shot.eye)}/${joined(n, 'IMG', n.counter(shot))}`,
  ),
  named(
    'number, day, time, eye',
    (n, visit, shot) => joined(n, visit.person.id, n.day(visit.day), clock(shot.atMs), n.eye(shot.eye)),
    { hasTime: true },
  ),
  named(
    'day, time, number, eye',
    (n, visit, shot) => joined(n, n.day(visit.day), clock(shot.atMs), visit.person.id, n.eye(shot.eye)),
    { hasTime: true },
  ),
  named('surname, first name, number, day, eye', (n, visit, shot) => {
    const { last, first, id } = visit.person
    return joined(n, last, first, id, n.day(visit.day), n.eye(shot.eye), n.counter(shot))
  }),
  named('folder name and number, file day and eye', (n, visit, shot) => {
    const { last, first, id } = visit.person
    return `${last} ${first}_${id}/${joined(n, n.day(visit.day), n.eye(shot.eye), n.counter(shot))}`
  }),
  named(
    'clinic and year folders above',
    (n, visit, shot) => `Export/${visit.day.slice(0, 4)}/${numberFirst(n, visit, shot)}`,
  ),
  named('camera program behind the eye', (n, visit, shot) =>
    joined(n, visit.person.id, n.day(visit.day), n.eye(shot.eye), 'Color', n.counter(shot)),
  ),
  named('eye first', (n, visit, shot) =>
    joined(n, n.eye(shot.eye), visit.person.id, n.day(visit.day), n.counter(shot)),
  ),
  named(
    'no day in the names',
    (n, visit, shot) => `${visit.person.id}/${joined(n, visit.person.id, n.eye(shot.eye), n.counter(shot))}`,
    { hasDay: false },
  ),
  plain(
    'prefixed numbers',
    (draw) => {
      const numbering = prefixed(draw)
      const n = drawNotation(draw)
      const separator = n.separator === '-' ? '_' : n.separator
      return {
        facts: READ,
        numbering,
        write: eachShot((visit, shot, folder) => {
          const parts = [visit.person.id, n.day(visit.day), n.eye(shot.eye), n.counter(shot)]
          folder.picture(visit, shot, parts.join(separator) + n.extension)
        }),
      }
    },
    { handsFree: 'with profile' },
  ),
  plain(
    'padded numbers',
    (draw) => {
      const numbering = padded(draw)
      const n = drawNotation(draw)
      return {
        facts: READ,
        numbering,
        write: eachShot((visit, shot, folder) => {
          folder.picture(
            visit,
            shot,
            `${visit.person.id}/${numberFirst({ ...n, separator: '_' }, visit, shot)}${n.extension}`,
          )
        }),
      }
    },
    { handsFree: 'with profile' },
  ),
  plain('report and thumbnails beside the images', (draw) => {
    const n = drawNotation(draw)
    const junk = draw.style(['Thumbs.db', '.DS_Store', 'desktop.ini'])
    return {
      facts: READ,
      write: (visit, folder) => {
        const base = joined(n, visit.person.id, n.day(visit.day))
        for (const shot of visit.shots)
          folder.picture(
            visit,
            shot,
            `${base}/${joined(n, base, n.eye(shot.eye), n.counter(shot))}${n.extension}`,
          )
        const endMs = visit.shots.at(-1)!.atMs + 4_000
        folder.data(`${base}/${base}_Report.html`, `<html><body>${visit.person.id}</body></html>`, endMs)
        folder.data(`${base}/${junk}`, 'junk', endMs)
      },
    }
  }),
]
