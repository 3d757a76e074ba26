/** Which pictures belong together: by numbers, studies, folders and bursts. */
import {
  BURST_GAP_MS,
  burstsOf,
  groupOf,
  type LinkedPicture,
  verdictOnTogether,
} from '../../../../../src-main/station/cases/verdict/visit.ts'
import { folderOfVisit, isContainer, isDivision } from '../../../../../src-main/station/cases/names/tokens.ts'
import { describe, expect, it } from 'vitest'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { asking, type Circumstances, identityOf, picture, shown, TODAY, type VisitRow } from './pictures.ts'

describe('the identity of a picture', () => {
  it.each([
    ['771020/771020_OD_1.jpg', 'patient 771020'],
    ['771020/88123_OD.jpg', 'conflict 771020 88123'],
    ['LOPEZ ANA_004512/88123/004512_OD.jpg', 'patient 004512'],
    ['443_071753790011_left.jpg', 'conflict 071753790011 443'],
    ['105-10-0989-3_/7f0c2a9e.jpg', 'patient 1051009893'],
    ['771020 1_OD.jpg', 'patient 771020'],
    ['10_left.jpeg', 'patient 10'],
    ['Vega Luz/10_left.jpeg', 'folder Vega Luz'],
    ['Vega Luz/Retina/OD/a.jpg', 'folder Vega Luz'],
    ['H-00017_20261120/101_OD.jpg', 'patient h00017'],
    ['41207-25/41207-25_OD.jpg', 'patient 4120725'],
    ['82-34-56/1.jpg', 'patient 823456'],
    ['inbox/a.jpg', 'loose inbox'],
    ['a.jpg', 'loose '],
    ['UNKNOWN/1.dcm', 'folder UNKNOWN'],
  ])('by names: %s: %s', (path, identity) => expect(identityOf(path)).toBe(identity))

  it.each([
    [['551238'], 'patient 551238'],
    [['H-551238', 'h551238'], 'patient h551238'],
    [['551238', '440127'], 'conflict 440127 551238'],
    [['UNKNOWN', '440127'], 'patient 440127'],
    [['UNKNOWN'], 'patient 771020'],
  ])('by the ids %j: %s', (ids, identity) => expect(identityOf('771020/771020_OD.jpg', ids)).toBe(identity))

  it('names no folder that has held two patients', () => {
    expect(identityOf('Vega Luz/OD/a.jpg', [], 'Vega Luz')).toBe('loose Vega Luz/OD')
  })

  it('is a study before it is a folder, and a number before it is a study', () => {
    const identity = { ids: [], study: '1.2.3', isSharedFolder: () => false, instants: [] }
    expect(groupOf({ ...identity, path: 'Vega Luz/a.dcm' })).toEqual({ kind: 'study', of: ['1.2.3'] })
    expect(groupOf({ ...identity, path: '771020/a.dcm' })).toEqual({ kind: 'patient', of: ['771020'] })
  })

  it('holds no time of the picture', () => {
    const at = new Date(2026, 10, 20, 14, 25, 10).getTime()
    const identity = { path: 'inbox/Luz_142510.jpg', ids: [], study: null, isSharedFolder: () => false }
    expect(groupOf({ ...identity, instants: [] })).toEqual({ kind: 'patient', of: ['142510'] })
    expect(groupOf({ ...identity, instants: [at] })).toEqual({ kind: 'loose', of: ['inbox'] })
  })

  it.each([
    ['5667654_20261120_OD_1.jpg', 'patient'],
    ['5667654/OD_1.jpg', 'patient'],
    ['5667654_OD_1.jpg', 'patient'],
    ['0_20261120_5667654_OD.jpg', 'loose'],
    ['2026-11-20/5667654_OD.jpg', 'loose'],
  ])('of the millisecond of the day %s is a %s: such a count follows its day', (path, kind) => {
    const written = new Date(2026, 10, 20, 1, 34, 27, 654).getTime()
    const named = { path, ids: [], study: null, isSharedFolder: () => false }
    expect(groupOf({ ...named, instants: [written] }).kind).toBe(kind)
    expect(groupOf({ ...named, instants: [written + 4_000] }).kind).toBe('patient')
  })
})

describe('folders', () => {
  it.each([
    ['OD', true],
    ['Left Eye 2', false],
    ['Fundus', true],
    ['R', true],
    ['FOP', true],
    ['Retina OD', true],
    ['inbox', false],
    ['export', false],
    ['771020', false],
    ['Vega', false],
    ['', false],
  ])('"%s" divides: %s', (name, expected) => expect(isDivision(name)).toBe(expected))

  it.each([
    ['inbox', true],
    ['2026-11-20', true],
    ['2026', true],
    ['100CANON', true],
    ['Sala 101', true],
    ['Export 3', true],
    ['Topcon', true],
    ['2026-11-20 101502', false],
    ['88123', false],
    ['Vega Luz', false],
    ['K7QZ81M2', false],
  ])('"%s" holds the files of many: %s', (name, expected) => expect(isContainer(name)).toBe(expected))

  it.each([
    ['Vega Luz/OD/1.jpg', 'Vega Luz'],
    ['2026/Vega Luz/Retina/OS/1.jpg', '2026/Vega Luz'],
    ['Vega Luz/inbox/1.jpg', null],
    ['inbox/OD/1.jpg', null],
    ['OD/1.jpg', null],
    ['1.jpg', null],
  ])('%s lies in the folder of the visit %s', (path, folder) => expect(folderOfVisit(path)).toBe(folder))
})

/** Pictures as `minute eye`, for example `0R 1L 12?`: each is named by its place. */
function timed(text: string): readonly LinkedPicture[] {
  return text.split(' ').map((term, index) => {
    const eye = term.endsWith('R') ? 'right' : term.endsWith('L') ? 'left' : null
    const takenAt = Number.parseFloat(term) * 60_000
    return { id: String(index), takenAt, eye, own: null, study: null, folder: null }
  })
}

const textOf = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => group.join('')).join(' ')

describe('bursts', () => {
  it.each([
    ['0R 1L', '01'],
    ['0R 1R 2L 3L', '0123'],
    ['0R 1L 2R 3L', '01 23'],
    ['0L 1R 2L', '01 2'],
    ['0R 10L', '01'],
    ['0R 10.1L', '0 1'],
    ['0? 9? 18? 27?', '0123'],
    ['0R 1? 2L 3? 4R', '0123 4'],
    ['5L 0R', '10'],
    ['0R 11R 12L 22.5?', '0 12 3'],
    ['0? 0? 0?', '012'],
  ])('of %s: %s', (text, expected) => {
    const bursts = burstsOf(timed(text))
    expect(textOf(bursts.map((burst) => burst.map(({ id }) => id)))).toBe(expected)
  })

  it('end after ten minutes', () => {
    expect(BURST_GAP_MS).toBe(600_000)
  })
})

describe('whether pictures belong together', () => {
  const linked = (text: string, parts: readonly Partial<LinkedPicture>[]): readonly LinkedPicture[] =>
    timed(text).map((picture, index) => ({ ...picture, ...parts[index % parts.length] }))

  it.each<readonly [string, readonly LinkedPicture[], string]>([
    ['none', [], 'proven'],
    ['one', timed('0R'), 'proven'],
    ['all stated, hours apart', linked('0R 1L 90R 91L', [{ own: 'stated' }]), 'proven'],
    [
      'one stated, the others of its study',
      linked('0R 90L', [{ own: 'stated', study: '1.2' }, { study: '1.2' }]),
      'proven',
    ],
    [
      'one stated, the other of another study',
      linked('0R 90L', [{ own: 'stated', study: '1.2' }, { study: '1.3' }]),
      'unknown noLink 0 1',
    ],
    ['a study, none stated', linked('0R 90L', [{ study: '1.2' }]), 'proposed readFromNames'],
    ['named, one burst', linked('0R 1L', [{ own: 'named' }]), 'proposed readFromNames'],
    ['named and stated', linked('0R 1L', [{ own: 'named' }, { own: 'stated' }]), 'proposed readFromNames'],
    [
      'named, both eyes and a retake an hour later',
      linked('0R 1L 61R', [{ own: 'named' }]),
      'proposed readFromNames',
    ],
    [
      'named, both eyes twice within minutes',
      linked('0R 1L 2R 3L', [{ own: 'named' }]),
      'proposed readFromNames',
    ],
    ['named, both eyes twice', linked('0R 1L 61R 62L', [{ own: 'named' }]), 'proposed twoBursts'],
    [
      'named, both eyes twice within minutes',
      linked('0R 1L 6R 7L', [{ own: 'named' }]),
      'proposed twoBursts',
    ],
    ['one burst', timed('0R 1L'), 'proposed readFromNames'],
    ['two bursts', timed('0R 1L 2R'), 'unknown noLink 01 2'],
    ['a folder, two bursts', linked('0R 1L 2R', [{ folder: 'a' }]), 'proposed readFromNames'],
    ['a folder, two bursts, an eye unknown', linked('0? 28L', [{ folder: 'a' }]), 'proposed readFromNames'],
    ['a folder, two bursts of unknown eyes', linked('0? 28?', [{ folder: 'a' }]), 'unknown noLink 0 1'],
    ['a folder, an unknown pass', linked('0R 1L 28? 29?', [{ folder: 'a' }]), 'unknown noLink 01 23'],
    ['a folder, one burst of unknown eyes', linked('0? 9?', [{ folder: 'a' }]), 'proposed readFromNames'],
    ['a folder, both eyes twice', linked('0R 1L 2R 3L', [{ folder: 'a' }]), 'unknown noLink 01 23'],
    ['two folders, two bursts', linked('0R 20L', [{ folder: 'a' }, { folder: 'b' }]), 'unknown noLink 0 1'],
    ['one named, one not, two bursts', linked('0R 20L', [{ own: 'named' }, {}]), 'unknown noLink 0 1'],
  ])('%s', (_title, pictures, expected) => {
    const verdict = verdictOnTogether(pictures)
    const terms = [
      verdict.kind,
      'why' in verdict ? verdict.why : '',
      'groups' in verdict ? textOf(verdict.groups) : '',
    ]
    expect(terms.join(' ').trim()).toBe(expected)
  })
})

const at = (time: string, path: string, more: Circumstances = {}): PictureEvidence =>
  picture(path, { at: time, ...more })

describe('pictures without an id', () => {
  it.each<VisitRow>([
    [
      'a second pass over both eyes, within ten minutes',
      [
        at('14:00:12', 'eingang/a_OD.jpg'),
        at('14:00:40', 'eingang/b_OS.jpg'),
        at('14:07:01', 'eingang/c_OD.jpg'),
        at('14:07:30', 'eingang/d_OS.jpg'),
      ],
      { who: 'unknown', together: 'unknown, 2 groups', clearance: 'needsAnswer' },
    ],
    [
      'the first eye once more, behind the other',
      [
        at('14:00:12', 'Bild1_rechts.jpg'),
        at('14:00:40', 'Bild2_links.jpg'),
        at('14:02:12', 'Bild3_rechts.jpg'),
      ],
      'unknown, 2 groups',
    ],
    [
      'one eye, and half an hour later one eye',
      [at('09:00:00', 'Consulta 3/r.jpg'), at('09:30:00', 'Consulta 3/r (2).jpg')],
      'unknown, 2 groups',
    ],
    [
      'no eyes, twenty minutes apart',
      [at('09:00:00', 'DCIM/100CANON/IMG_0001.JPG'), at('09:20:00', 'DCIM/100CANON/IMG_0002.JPG')],
      'unknown, 2 groups',
    ],
    [
      'a folder named after a kind of image',
      [
        at('09:00:00', 'Fundus/a_OD.jpg'),
        at('09:00:20', 'Fundus/b_OS.jpg'),
        at('09:25:00', 'Fundus/c_OS.jpg'),
      ],
      'unknown, 2 groups',
    ],
    [
      'a folder that has held two patients',
      [
        at('09:00:00', 'Vega Luz/a_OD.jpg', { isInSharedFolder: true }),
        at('09:30:00', 'Vega Luz/b_OS.jpg', { isInSharedFolder: true }),
      ],
      'unknown, 2 groups',
    ],
    [
      'a folder of their own, both eyes twice',
      [
        at('09:00:00', 'Vega Luz/a_OD.jpg'),
        at('09:00:30', 'Vega Luz/b_OS.jpg'),
        at('09:03:00', 'Vega Luz/c_OD.jpg'),
        at('09:04:00', 'Vega Luz/d_OS.jpg'),
      ],
      'unknown, 2 groups',
    ],
    [
      'counters in front of the eyes, both eyes twice',
      [
        at('09:00:00', 'Vega Luz/1_OD.jpg'),
        at('09:00:30', 'Vega Luz/2_OS.jpg'),
        at('09:03:00', 'Vega Luz/3_OD.jpg'),
        at('09:04:00', 'Vega Luz/4_OS.jpg'),
      ],
      'unknown, 2 groups',
    ],
    [
      'one with an id, one without, half an hour apart',
      [
        at('09:00:00', 'inbox/1.dcm', { dicom: { id: '771020', day: TODAY, eye: 'right' } }),
        at('09:31:00', 'inbox/b_OS.jpg'),
      ],
      { together: 'unknown, 2 groups', clearance: 'needsAnswer' },
    ],
  ])('how many patients: %s', asking('together'))

  it.each<VisitRow>([
    [
      'one burst',
      [at('09:00:00', 'inbox/1_OD.jpg'), at('09:04:00', 'inbox/2_OD.jpg'), at('09:12:00', 'inbox/3_OS.jpg')],
      'proposed',
    ],
    [
      'a burst of unknown eyes',
      [at('09:00:00', 'IMG_0001.JPG'), at('09:05:00', 'IMG_0002.JPG'), at('09:10:00', 'IMG_0003.JPG')],
      'proposed',
    ],
    [
      'a folder of their own',
      [at('09:00:00', 'Vega Luz/1_OD.jpg'), at('09:30:00', 'Vega Luz/2_OS.jpg')],
      'proposed',
    ],
    [
      'a folder of their own, divided by eye',
      [at('09:00:00', 'Vega Luz/OD/1.jpg'), at('09:30:00', 'Vega Luz/OS/2.jpg')],
      'proposed',
    ],
    [
      'a study',
      [at('09:00:00', 'inbox/1.dcm', { study: '1.2.3' }), at('09:30:00', 'inbox/2.dcm', { study: '1.2.3' })],
      'proposed',
    ],
    ['one picture', 'inbox/OD.jpg', 'proven'],
    [
      'one with an id, one without, in one burst',
      [
        at('09:00:00', 'inbox/1.dcm', { dicom: { id: '771020', day: TODAY, eye: 'right' } }),
        at('09:01:00', 'inbox/b_OS.jpg'),
      ],
      { who: 'proposed 771020 (noLink)', together: 'proposed', clearance: 'needsLook' },
    ],
    [
      'one with an id, one of its study',
      [
        at('09:00:00', '1.dcm', { study: '1.2.3', dicom: { id: '771020', day: TODAY, eye: 'right' } }),
        at('09:40:00', '2.dcm', { study: '1.2.3', dicom: { eye: 'left' } }),
      ],
      { who: 'proven 771020', together: 'proven', clearance: 'mayLeaveUnseen' },
    ],
    [
      'one with an id, one of another study',
      [
        at('09:00:00', '1.dcm', { study: '1.2.3', dicom: { id: '771020', day: TODAY, eye: 'right' } }),
        at('09:01:00', '2.dcm', { study: '1.2.4', dicom: { eye: 'left' } }),
      ],
      { who: 'proposed 771020 (noLink)', together: 'proposed' },
    ],
  ])('at most a look: %s', asking('together'))

  const bursts = (stated: boolean): readonly PictureEvidence[] =>
    ['09:00:00 right', '09:00:30 left', '09:31:00 right', '09:31:40 left'].map((row, index) => {
      const [time = '', eye = ''] = row.split(' ')
      return stated
        ? at(time, `${index}.dcm`, {
            dicom: { id: '771020', day: TODAY, eye: eye === 'right' ? 'right' : 'left' },
          })
        : at(time, `771020_${index}_${eye}.jpg`)
    })

  it('is reviewed if both eyes come twice under a number that only names hold', () => {
    expect(shown(bursts(false))).toMatchObject({ who: 'proposed 771020', together: 'proposed (twoBursts)' })
    expect(shown(bursts(true))).toMatchObject({ who: 'proven 771020', together: 'proven' })
  })

  const identities: readonly (readonly [path: string, identity: string])[] = [
    ['inbox/20261120_091502_OD.jpg', 'loose inbox'],
    ['Sala 7/OD.jpg', 'loose Sala 7'],
    ['eingang/2026-11-20/OS.jpg', 'loose eingang/2026-11-20'],
    ['Netzhaut/OS.jpg', 'loose Netzhaut'],
    ['right.jpg', 'loose '],
    ['Vega Luz/OD/1.jpg', 'folder Vega Luz'],
    ['771020_OD.jpg', 'patient 771020'],
  ]
  it.each(identities)('%s is of: %s', (path, identity) => {
    expect(identityOf(path)).toBe(identity)
  })
})
