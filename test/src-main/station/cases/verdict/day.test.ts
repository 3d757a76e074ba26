/** On which day: births, exports, late files, records of another day. */
import { describe, it } from 'vitest'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { asking, picture, TODAY, type VisitRow } from './pictures.ts'

describe('a birth date is no visit', () => {
  it.each<VisitRow>([
    ['of a child, alone', '771020/Haas_Nora_20130402_771020_OD_1.jpg', 'unknown (farFromArrival)'],
    ['of a child, hyphens', 'Haas_Nora_2016-05-30_771020/OD.jpg', 'unknown (farFromArrival)'],
    ['of an infant', 'Nora 2025.01.31 771020 OD.jpg', 'unknown (farFromArrival)'],
    ['of a young adult', '771020_20090817_OS.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['of an older person', '771020_19510817_OS.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['beside the visit', '771020_20130402_20261120_OD.jpg', 'proposed 2026-11-20'],
    [
      'that a record states, some months old',
      picture('771020_20260814_OD.jpg', { record: { id: '771020', birth: '2026-08-14' } }),
      'proposed 2026-11-20 (fileTime)',
    ],
    [
      'that DICOM states, beside the day',
      picture('771020_20260814.dcm', { dicom: { id: '771020', day: TODAY, birth: '2026-08-14' } }),
      'proven 2026-11-20',
    ],
    [
      'and a day that has not come, which a clock of another zone states',
      picture('771020.dcm', { dicom: { id: '771020', day: '2026-11-21' } }),
      'proposed 2026-11-21 (otherZone)',
    ],
    [
      'that DICOM states with the day, of a child',
      picture('771020_20170814.dcm', { dicom: { id: '771020', day: TODAY, birth: '2017-08-14' } }),
      'proven 2026-11-20',
    ],
  ])('%s', asking('day'))
})

describe('the day of names', () => {
  it.each<VisitRow>([
    ['today', '771020_20261120_OD.jpg', 'proposed 2026-11-20'],
    ['two days old', '771020_2026-11-18_OD.jpg', 'proposed 2026-11-18'],
    ['three days old', '771020_2026.11.17_OD.jpg', 'proposed 2026-11-17 (farFromArrival)'],
    ['some months old', '771020_20260201_OD.jpg', 'proposed 2026-02-01 (farFromArrival)'],
    ['two, some months old', '771020_20260201_20260301_OD.jpg', 'unknown (farFromArrival)'],
    ['more than a year old', '771020_20251015_OD.jpg', 'unknown (farFromArrival)'],
    ['to come', '771020_20270101_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['with a time', '771020_20261119T101112_OD.jpg', 'proposed 2026-11-19'],
    ['in three folders', '2026/11/19/771020_OD.jpg', 'proposed 2026-11-19'],
    ['in three folders, no such day', '2026/11/31/771020_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['in three folders, no 30th of February', '2026/02/30/771020_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['day first, beside the same day', '771020_20261120/20-11-2026_OD.jpg', 'proposed 2026-11-20'],
    [
      'day first, beside another day',
      '771020_20261120/19-11-2026_OD.jpg',
      'disputed 2026-11-20 | 2026-11-19',
    ],
    ['day first, of a birth, beside the day', '771020_14-05-2015_20261120_OD.jpg', 'proposed 2026-11-20'],
    ['in three folders, no month', '2026/00/19/771020_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['in three folders, no day', '2026/13/40/771020_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['day first: never guessed', '771020_03-11-2026_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['a timestamp of another day', '771020_1795000000000_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['no picture', [], 'unknown'],
    ['no day', '771020_20261131_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['an export, the folder', 'Export 2026-11-19/771020_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['a backup, the folder', 'backup_20261119/771020_OD.jpg', 'proposed 2026-11-20 (fileTime)'],
    ['two days in one name', '771020_20261119_20261120_OD.jpg', 'disputed 2026-11-19 | 2026-11-20'],
    [
      'two pictures, two days',
      ['771020_20261119_OD.jpg', '771020_20261120_OS.jpg'],
      'disputed 2026-11-19 | 2026-11-20',
    ],
    [
      'nothing but the file',
      picture('771020_OD.jpg', { taken: '2024-05-11', seen: TODAY }),
      'proposed 2024-05-11 (fileTime)',
    ],
    [
      'the oldest file of two',
      [
        picture('1_OD.jpg', { taken: '2026-11-20' }),
        picture('2_OD.jpg', { taken: '2026-11-18', seen: TODAY }),
      ],
      'proposed 2026-11-18 (fileTime)',
    ],
  ])('%s', asking('day'))
})

describe('the day that a source states', () => {
  const stated = (path: string, day: string, seen = TODAY): PictureEvidence =>
    picture(path, { dicom: { id: '501288', day, eye: 'right' }, seen })

  it.each<VisitRow>([
    ['today', stated('1.dcm', TODAY), 'proven 2026-11-20'],
    ['two days old', stated('1.dcm', '2026-11-18'), 'proven 2026-11-18'],
    [
      'three days old',
      stated('1.dcm', '2026-11-17'),
      { day: 'proposed 2026-11-17 (farFromArrival)', clearance: 'needsLook' },
    ],
    ['to come', stated('1.dcm', '2026-12-20'), 'unknown (farFromArrival)'],
    ['seen much later', stated('1.dcm', '2024-05-11'), 'proposed 2024-05-11 (farFromArrival)'],
    ['yesterday in the name', stated('501288_20261119.dcm', TODAY), 'disputed 2026-11-20 | 2026-11-19'],
    ['last year in the name', stated('501288_2025-01-07/1.dcm', TODAY), 'disputed 2026-11-20 | 2025-01-07'],
    [
      'another day in the folders',
      stated('2026/11/18/501288.dcm', TODAY),
      'disputed 2026-11-20 | 2026-11-18',
    ],
    [
      'the day of an export in the folder',
      stated('Export 2026-11-19/501288.dcm', TODAY),
      'proven 2026-11-20',
    ],
    ['a date of long ago in the name', stated('501288_19740101.dcm', TODAY), 'proven 2026-11-20'],
    [
      'yesterday in the name, day first',
      stated('501288_19-11-2026.dcm', TODAY),
      'disputed 2026-11-20 | 2026-11-19',
    ],
    [
      'yesterday in the name, month first',
      stated('501288_11.19.2026.dcm', TODAY),
      'disputed 2026-11-20 | 2026-11-19',
    ],
    [
      'yesterday in the folder, without marks',
      stated('501288_19112026/1.dcm', TODAY),
      'disputed 2026-11-20 | 2026-11-19',
    ],
    [
      'in either order another day: the nearer',
      stated('501288_10-11-2026.dcm', TODAY),
      'disputed 2026-11-20 | 2026-11-10',
    ],
    ['the same, day first', stated('501288_20-11-2026.dcm', TODAY), 'proven 2026-11-20'],
    ['the same, month first', stated('501288_11-20-2026.dcm', TODAY), 'proven 2026-11-20'],
    [
      'the same, in one of two orders',
      stated('501288_10-11-2026.dcm', '2026-11-10', '2026-11-10'),
      'proven 2026-11-10',
    ],
    ['long ago, day first', stated('501288_03-04-1961.dcm', TODAY), 'proven 2026-11-20'],
    ['next month in the name', stated('501288_20261220.dcm', TODAY), 'disputed 2026-11-20 | 2026-12-20'],
    [
      'a birth in the name, day first',
      picture('501288_14-05-2015.dcm', { dicom: { id: '501288', day: TODAY, birth: '2015-05-14' } }),
      'proven 2026-11-20',
    ],
    [
      'a number that reads as a date',
      picture('20140311_OD.dcm', { dicom: { id: '20140311', day: TODAY } }),
      'proven 2026-11-20',
    ],
    [
      'that of the birth',
      picture('1.dcm', { dicom: { id: '501288', day: '2015-05-14', birth: '2015-05-14' } }),
      'unknown (farFromArrival)',
    ],
    [
      'that of the birth, of a newborn',
      picture('1.dcm', { dicom: { id: '501288', day: TODAY, birth: TODAY } }),
      'proven 2026-11-20',
    ],
    ['two days', [stated('1.dcm', TODAY), stated('2.dcm', '2026-11-19')], 'disputed 2026-11-20 | 2026-11-19'],
    [
      'names that a profile reads',
      picture('501288_20261119.jpg', { record: { id: '501288', day: TODAY }, isReadByProfile: true }),
      'proven 2026-11-20',
    ],
  ])('%s', asking('day'))
})

describe('the day in the record of a folder', () => {
  const held = (path: string, day: string, taken = TODAY): PictureEvidence =>
    picture(path, { folder: { id: '771020', day }, taken, seen: TODAY })

  it.each<VisitRow>([
    ['today', held('771020/OD.jpg', TODAY), 'proposed 2026-11-20 (folderRecord)'],
    [
      'that of the file',
      held('771020/OD.jpg', '2026-11-19', '2026-11-19'),
      'proposed 2026-11-19 (folderRecord)',
    ],
    ['of no file', held('771020/OD.jpg', '2026-11-12'), 'disputed 2026-11-12 | 2026-11-20'],
    ['that of the name', held('771020_20261119/OD.jpg', '2026-11-19'), 'proposed 2026-11-19 (folderRecord)'],
    [
      'that of the name, far',
      held('771020_20261105/OD.jpg', '2026-11-05'),
      'proposed 2026-11-05 (farFromArrival)',
    ],
    ['against the name', held('771020/20261119_OD.jpg', TODAY), 'disputed 2026-11-20 | 2026-11-19'],
    [
      'against a bound record',
      picture('1.jpg', {
        record: { id: '771020', day: TODAY },
        folder: { id: '771020', day: '2026-11-19' },
      }),
      'disputed 2026-11-20 | 2026-11-19',
    ],
  ])('%s', asking('day'))
})

describe('files that were there at set-up and were chosen', () => {
  const old = (path: string, isImported: boolean, seen = TODAY): PictureEvidence =>
    picture(path, { dicom: { id: '501288', day: '2024-05-11', eye: 'right' }, seen, isImported })

  it.each<VisitRow>([
    ['alone', old('1.dcm', true), { day: 'proposed 2024-05-11 (importedBatch)', clearance: 'needsLook' }],
    [
      'of some days ago',
      picture('1.dcm', { dicom: { id: '5', day: '2026-11-16' }, isImported: true }),
      'proposed 2026-11-16 (importedBatch)',
    ],
    ['of today', picture('1.dcm', { dicom: { id: '5', day: TODAY }, isImported: true }), 'proven 2026-11-20'],
    [
      'beside one that came later',
      [old('1.dcm', true), old('2.dcm', false)],
      'proposed 2024-05-11 (farFromArrival)',
    ],
    [
      'beside one that came in time',
      [old('1.dcm', true), old('2.dcm', false, '2024-05-12')],
      'proposed 2024-05-11 (importedBatch)',
    ],
    [
      'of a day that has not come',
      picture('1.dcm', { dicom: { id: '5', day: '2027-05-11' }, isImported: true }),
      'unknown (farFromArrival)',
    ],
    [
      'of a day in names alone',
      picture('771020_20260611_OD.jpg', { isImported: true }),
      'proposed 2026-06-11 (farFromArrival)',
    ],
    [
      'of a day of the file alone',
      picture('771020_OD.jpg', { taken: '2024-05-11', seen: TODAY, isImported: true }),
      'proposed 2024-05-11 (fileTime)',
    ],
    [
      'of two days',
      [
        old('1.dcm', true),
        picture('2.dcm', { dicom: { id: '501288', day: '2024-05-12' }, isImported: true }),
      ],
      'disputed 2024-05-11 | 2024-05-12',
    ],
  ])('%s', asking('day'))
})
