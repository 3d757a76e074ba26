/** Marking the parts of one path: what is proposed, what becomes of the marks, and what cannot be made of them. */
import { describe, expect, it } from 'vitest'
import { patternOfMarks, piecesOf } from '../../../../../src-main/station/cases/profiles/marked-path.ts'
import { readConfirmed } from '../../../../../src-main/station/cases/profiles/strict.ts'
import { patternTextOf } from '../../../../../src-shared/confirmed-profile.ts'
import { type FolderReading, folderReadingSchema } from '../../../../../src-shared/folder-settings.ts'
import { learntOffers } from '../../../../tools/learnt-offers.ts'
import { type Convention, compact, dayFirst, pathsOf, visitsOf } from './approved-visits.ts'

const PLAIN = folderReadingSchema.parse({})

/** The pieces of a path with their marks: `004512:who _ OD:eye`. */
const drawn = (path: string, reading: FolderReading = PLAIN): string =>
  piecesOf(path, reading)
    .map(({ text, mark }) => (mark === null ? text : `${text}:${mark}`))
    .join(' ')

describe('the pieces of a path', () => {
  it.each([
    ['004512/20260602101502_OD1.jpg', '004512:who / 20260602:day 101502:rest _ OD:eye 1:rest'],
    ['K-70113_02-06-2026_l2.jpg', 'K:who - 70113:who _ 02-06-2026:day _ l:eye 2:rest'],
    ['12/IMG_0012.JPG', '12:rest / IMG:rest _ 0012:rest'],
    [
      '004512/7f0c2a9e-5a3f-4e21-9c7d-0f6e2a81b512.png',
      '004512:who / 7f0c2a9e-5a3f-4e21-9c7d-0f6e2a81b512:rest',
    ],
    [
      'Ana_10000001_14-02-2025/3.00.05.120_PM.jpg',
      'Ana:rest _ 10000001:who _ 14-02-2025:day / 3.00.05.120_PM:rest',
    ],
  ])('%s is drawn as %s', (path, pieces) => {
    expect(drawn(path)).toBe(pieces)
    expect(
      piecesOf(path, PLAIN)
        .map(({ text }) => text)
        .join(''),
    ).toBe(path.replace(/\.[^.]*$/, ''))
  })

  it('are eyes by the words of the folder', () => {
    const reading = folderReadingSchema.parse({ eyeWords: { right: ['D'], left: ['I'] } })
    expect([drawn('004512_D_1.jpg'), drawn('004512_D_1.jpg', reading)]).toEqual([
      '004512:who _ D:rest _ 1:rest',
      '004512:who _ D:eye _ 1:rest',
    ])
  })
})

/** The pattern as people see it, or the problem, with the marks that the station proposes. */
function made(paths: readonly string[], reading: FolderReading = PLAIN): string {
  const [path = ''] = paths
  const marked = patternOfMarks(piecesOf(path, reading), path, paths, reading)
  return 'problem' in marked ? (marked.problem.wording?.key ?? '') : patternTextOf(marked.pattern)
}

const pathsBy = (path: Convention['path'], count = 6): readonly string[] => pathsOf(visitsOf({ path }, count))

describe('a marked path', () => {
  it.each<[string, Convention['path'], string]>([
    [
      'folders',
      (f) => `${f.id}/${compact(f.day)}_${f.eye === 'right' ? 'OD' : 'OS'}_${f.ofEye}.jpg`,
      '{historyNumber}/{date:YYYYMMDD}_{eye}_{number}',
    ],
    [
      'the day first',
      (f) => `${f.id} ${dayFirst(f.day, '.')} ${f.eye}${f.ofEye}.jpg`,
      '{historyNumber} {date:DD.MM.YYYY} {eye}{number}',
    ],
    [
      'a number twice, and a view',
      (f) => `${f.id}/${f.id}_${f.eye === 'right' ? 'R' : 'L'}_${['Disc', 'Macula'][f.ofEye - 1]}.jpg`,
      '{historyNumber}/{historyNumber}_{eye}_{view}',
    ],
    [
      'names',
      (f) => `${f.last} ${f.first}_${f.id}/${compact(f.day)}_${f.eye}.jpg`,
      '{name}_{historyNumber}/{date:YYYYMMDD}_{eye}',
    ],
  ])('with %s reads all files that are named alike as they were meant', (_what, path, pattern) => {
    const visits = visitsOf({ path }, 12)
    const paths = pathsOf(visits)
    expect(made(paths)).toBe(pattern)
    const [first = ''] = paths
    const marked = patternOfMarks(piecesOf(first, PLAIN), first, paths, PLAIN)
    if ('problem' in marked) throw new Error(marked.problem.message)
    for (const { historyNumber, visitDay, files } of visits)
      for (const file of files) {
        const read = readConfirmed(marked.pattern, file.path)
        if (read.kind !== 'one') throw new Error(file.path)
        expect([read.reading.historyNumber.value, read.reading.eye?.value]).toEqual([historyNumber, file.eye])
        if (pattern.includes('date')) expect(read.reading.visitDate?.value).toBe(visitDay)
      }
  })

  it('takes the order of the folder for a day that could be two, and asks for it otherwise', () => {
    const paths = ['02-06-2026', '03-07-2026', '05-08-2026'].flatMap((day, index) =>
      ['OD', 'OS'].map((eye) => `10000${index}_${day}_${eye}.jpg`),
    )
    expect(made(paths)).toBe('call:marks.dayOrder')
    expect(made(paths, { ...PLAIN, dateOrder: 'dmy' })).toBe('{historyNumber}_{date:DD-MM-YYYY}_{eye}')
    expect(made(paths, { ...PLAIN, dateOrder: 'mdy' })).toBe('{historyNumber}_{date:MM-DD-YYYY}_{eye}')
    expect(made([...paths, '100009_25-06-2026_OD.jpg'])).toBe('{historyNumber}_{date:DD-MM-YYYY}_{eye}')
  })

  it.each<[string, readonly string[], string]>([
    ['no number', ['OD.jpg', 'OS.jpg'], 'call:marks.noNumber'],
    ['one eye only', pathsBy((f) => `${f.id}_OD_${f.ofVisit}.jpg`), 'call:marks.notAlike'],
    [
      'words that differ in each file',
      pathsBy((f) => `${f.id}_${f.eye}_${f.hex(3)}${f.last}.jpg`, 3),
      'call:marks.notAlike',
    ],
  ])('with %s makes no pattern', (_what, paths, problem) => {
    expect(made(paths)).toBe(problem)
  })

  it('with an eye or a day that is none says so', () => {
    const path = '004512_20260602_OD.jpg'
    const pieces = piecesOf(path, PLAIN)
    const problemOf = (at: number, mark: 'day' | 'eye'): string | undefined => {
      const marked = patternOfMarks(pieces.with(at, { text: 'XY', mark }), path, [path], PLAIN)
      return 'problem' in marked ? marked.problem.wording?.key : undefined
    }
    expect([problemOf(2, 'day'), problemOf(4, 'eye')]).toEqual(['call:marks.noDay', 'call:marks.noEye'])
  })
})

it.each(['eye', 'day'] as const)(
  'marks that leave out the %s that all names state are not offered',
  (what) => {
    const path: Convention['path'] = (f) =>
      `${f.id}_${compact(f.day)}_${f.eye === 'right' ? 'OD' : 'OS'}_${f.ofEye}.jpg`
    const visits = visitsOf({ path }, 12)
    const [first = '', ...files] = pathsOf(visits)
    const pieces = piecesOf(first, PLAIN).map((piece) =>
      piece.mark === what ? { ...piece, mark: 'rest' as const } : piece,
    )
    const marked = patternOfMarks(pieces, first, files, PLAIN)
    if ('problem' in marked) throw new Error(marked.problem.message)
    expect(
      learntOffers(visits, [first, ...files], [], [marked.pattern]).map(({ pattern }) => pattern),
    ).toEqual(['{historyNumber}_{date:YYYYMMDD}_{eye}_{number}'])
  },
)
