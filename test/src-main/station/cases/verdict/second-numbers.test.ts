/** What exam, accession and device numbers, counters and times in the names do to a number that a source states. */
import { describe, expect, it } from 'vitest'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { type Circumstances, type Learnt, picture, shown, TODAY } from './pictures.ts'

const dicom = (path: string, more: Circumstances = {}): PictureEvidence =>
  picture(path, { dicom: { id: '501288', day: TODAY, eye: 'right' }, ...more })

const whoOf = (paths: readonly string[], learnt: Learnt = {}): string =>
  shown(
    paths.map((path) => dicom(path)),
    learnt,
  ).who

describe('a long number behind a word that counts', () => {
  it.each([
    ['SITE04_612004_OD.dcm', 'disputed 501288 | 612004'],
    ['ROOM3_612004_OD.dcm', 'disputed 501288 | 612004'],
    ['Sala1_612004_OD.dcm', 'disputed 501288 | 612004'],
    ['Visit2_612004.dcm', 'disputed 501288 | 612004'],
    ['Pat-Nr 612004 OD.dcm', 'disputed 501288 | 612004'],
    ['501288(612004).dcm', 'disputed 501288 | 612004'],
    ['Foto 612004 OD.dcm', 'proposed 501288 (secondNumber 612004)'],
    ['Nr 612004/OD.dcm', 'proposed 501288 (secondNumber 612004)'],
    ['No. 612004.dcm', 'proposed 501288 (secondNumber 612004)'],
    ['Image 612004/1.dcm', 'proposed 501288 (secondNumber 612004)'],
    ['retina612004.dcm', 'proposed 501288 (secondNumber 612004)'],
    ['501288_acc 778812_OD.dcm', 'proposed 501288 (secondNumber 778812)'],
    ['acc 778812.dcm', 'proposed 501288 (secondNumber 778812)'],
    ['501288_exam_778812.dcm', 'proposed 501288 (secondNumber 778812)'],
    ['501288_exam_501289.dcm', 'disputed 501288 | 501289 (nearlySame)'],
    ['IMG_000123.dcm', 'proven 501288'],
    ['IMG_77881.dcm', 'proven 501288'],
    ['Foto20261120101502.dcm', 'proven 501288'],
    ['Foto1795171234567.dcm', 'proven 501288'],
  ])('%s: %s', (path, who) => expect(whoOf([path])).toBe(who))

  it('disputes if it is of a patient, or of a learnt shape, and not after an answer', () => {
    expect(whoOf(['exam_7788123.dcm'], { patients: ['7788123'] })).toMatch(/^disputed/)
    expect(whoOf(['exam_7788123.dcm'], { shapes: ['9999999'] })).toMatch(/^disputed/)
    expect(whoOf(['exam_7788123.dcm'], { noPatients: ['7788123'] })).toBe('proven 501288')
    expect(whoOf(['exam_7788123.dcm'], { same: [['501288', '7788123']] })).toBe('proven 501288')
    expect(whoOf(['61204.dcm'], { noPatients: ['61204'] })).toBe('proven 501288')
  })
})

describe('what no patient is called by', () => {
  it.each([
    // Measures beside a time
    ['20261120-OD-ISO800-081502-12.5mm.dcm', 'proven 501288'],
    ['20261120 3680x3288 081502 f60d.dcm', 'proven 501288'],
    ['20261120-081502-640px-OD.dcm', 'proven 501288'],
    ['20261120-OD-H80012-081502.dcm', 'disputed 501288 | H80012-081502'],
    // Counters that have reached a year
    ['IMG_1931.dcm', 'proven 501288'],
    ['foto 2041.dcm', 'proven 501288'],
    ['DSC-1907.dcm', 'proven 501288'],
    ['OD_1931.dcm', 'proposed 501288 (secondNumber 1931)'],
    // Days by name
    ['Nov 20 2026_081502_3.dcm', 'proven 501288'],
    ['nov-20-2026/8x/a.dcm', 'proven 501288'],
    ['November 20, 2026/a.dcm', 'proven 501288'],
  ])('%s: %s', (path, who) => expect(whoOf([path])).toBe(who))
})

describe('an idle number in the names', () => {
  const ofNumber = (id: string, path: string): string =>
    shown([picture(path, { dicom: { id, day: TODAY, eye: 'right' } })]).who
  it.each([
    ['2602600', '260260_OD.dcm', 'disputed 2602600 | 260260 (nearlySame)'],
    ['777778', '777777/OD_1.dcm', 'disputed 777778 | 777777 (nearlySame)'],
    ['1234568', '2026/1234567_OD.dcm', 'disputed 1234568 | 1234567 (nearlySame)'],
    ['501288', '260260_OD.dcm', 'proven 501288'],
  ])('beside %s: %s', (id, path, who) => expect(ofNumber(id, path)).toBe(who))
})

describe('digits that spell a day or a year', () => {
  it.each([
    ['501288_20261120_OD.dcm', 'proven 501288'],
    ['501288_20111201_OD.dcm', 'proven 501288'],
    ['501288_19540311_OD.dcm', 'proven 501288'],
    ['501288_11031954_OD.dcm', 'proven 501288'],
    ['501288_03111954_OD.dcm', 'proven 501288'],
    ['501288_19540312_OD.dcm', 'proposed 501288 (secondNumber 19540312)'],
    ['2026/501288_OD.dcm', 'proven 501288'],
    ['501288_1954_OD.dcm', 'proven 501288'],
    ['501288_1931_OD.dcm', 'proposed 501288 (secondNumber 1931)'],
    ['Rossi_12051931_OD.dcm', 'proposed 501288 (secondNumber 12051931)'],
    ['Rossi_11162053_OD.dcm', 'disputed 501288 | 11162053'],
    ['Rossi_20531116_OD.dcm', 'disputed 501288 | 20531116'],
  ])('%s: %s', (path, who) => {
    const stated = {
      id: '501288',
      day: TODAY,
      eye: 'right' as const,
      name: 'Rossi^Anna',
      birth: '1954-03-11',
    }
    expect(shown([picture(path, { dicom: stated })]).who).toBe(who)
  })

  it('are a known patient’s number all the same', () => {
    expect(whoOf(['501288_12051931_OD.dcm'], { patients: ['12051931'] })).toMatch(/^disputed/)
  })
})

describe('seconds and milliseconds of the day', () => {
  it.each(['49035_OD.dcm', '501288_49035001_OD.dcm', '49010222.dcm'])('are no time by chance: %s', (path) => {
    expect(whoOf([path])).not.toMatch(/^proven/)
  })
})

describe('what counts pictures', () => {
  it.each<readonly [title: string, paths: readonly string[]]>([
    ['files that run on', ['1042.dcm', '1043.dcm']],
    ['files that run on with gaps', ['10421.dcm', '10435.dcm']],
    ['folders that run on', ['1042/1.dcm', '1043/1.dcm']],
    ['a time in the folder of its day', ['20261120/101502.dcm']],
    ['names of a medium', ['STU00001/SER00002/IMG00003']],
    ['names of a medium, with the patient', ['PAT00001/STD00001/SER00001/IMG00001']],
    ['many zeros behind the number', ['OP_501288_00000003.dcm']],
    ['a short UID', ['1.3.6.1.4.1.dcm']],
    ['a UID behind the number', ['501288_2.25.297362505.dcm']],
  ])('doubts nothing: %s', (_title, paths) => expect(whoOf(paths)).toBe('proven 501288'))

  it.each<readonly [title: string, paths: readonly string[], who: RegExp]>([
    ['one file alone', ['10421.dcm'], /^disputed/],
    ['files far apart', ['10421.dcm', '20435.dcm'], /^disputed/],
    ['files of two lengths', ['9998.dcm', '10002.dcm'], /^disputed/],
    ['files of the shape of the number', ['612004.dcm', '612005.dcm'], /^disputed/],
    ['two pictures with one number', ['10421_OD.dcm', '10421_OS.dcm'], /^disputed/],
    ['a name that a program may have drawn', ['90817264.dcm'], /secondNumber 90817264/],
  ])('doubts: %s', (_title, paths, who) => expect(whoOf(paths)).toMatch(who))

  it('that are drawn, under a record of the same stem, are looked at', () => {
    const pictures = [picture('90817264.jpg', { record: { id: '771020', day: TODAY, eye: 'right' } })]
    expect(shown(pictures).who).toBe('proposed 771020 (secondNumber 90817264)')
  })
})

describe('a part of confirmed names', () => {
  const confirmed = (path: string, more: Circumstances = {}): PictureEvidence =>
    dicom(path, { isReadByProfile: true, ...more })
  it.each<readonly [string, PictureEvidence, Learnt, string]>([
    [
      'of a known patient',
      confirmed('501288_612004_OD.jpg'),
      { patients: ['612004'] },
      'disputed 501288 | 612004',
    ],
    ['in a folder', confirmed('612004/501288_OD.jpg'), { patients: ['612004'] }, 'disputed 501288 | 612004'],
    ['shorter', confirmed('501288_OD_61204.jpg'), { patients: ['61204'] }, 'disputed 501288 | 61204'],
    [
      'glued to letters',
      confirmed('501288_EX612004.jpg'),
      { patients: ['612004'] },
      'disputed 501288 | 612004',
    ],
    ['of no known patient', confirmed('501288_612004_OD.jpg'), {}, 'proven 501288'],
    ['its padding', confirmed('00501288_OD.jpg'), { patients: ['00501288'] }, 'proven 501288'],
    ['a group of it', confirmed('501288_288_OD.jpg'), { patients: ['288'] }, 'proven 501288'],
    [
      'the time of the picture',
      confirmed('501288_142510_OD.jpg', { at: '14:25:10' }),
      { patients: ['142510'] },
      'proven 501288',
    ],
    [
      'with an answer: the same patient',
      confirmed('501288_612004_OD.jpg'),
      { patients: ['612004'], same: [['501288', '612004']] },
      'proven 501288',
    ],
  ])('%s', (_what, one, learnt, who) => expect(shown([one], learnt).who.replace(/ \(.*/, '')).toBe(who))

  it.each([
    ['its own time', '142510'],
    ['its day', '20261120'],
    ['its day and time', '20261120142510'],
    ['a birth date', '11031957'],
    ['a word', 'pending'],
    ['a name', 'VIDAL57'],
  ])('is no number: %s', (_what, id) => {
    const one = picture(`${id}_OD.jpg`, {
      record: { id, day: TODAY, eye: 'right', birth: '1957-03-11', name: 'Vidal^Noa' },
      isReadByProfile: true,
      at: '14:25:10',
    })
    expect(shown([one])).toMatchObject({ who: 'unknown (placeholder)', clearance: 'needsAnswer' })
  })
})

describe('what confirmed names have in the place of the number', () => {
  /** The record states 501288, and the profile reads this. */
  const read = (value: string): PictureEvidence => {
    const found = picture(`${value}_OD.jpg`, { record: { id: '501288', day: TODAY }, isReadByProfile: true })
    return { ...found, ids: [{ value, source: 'fileName', where: found.id }, ...found.ids] }
  }
  it.each([
    ['the time of its image', '133710', 'disputed 133710 | 501288'],
    ['a time before its image', '132455', 'disputed 132455 | 501288'],
    ['its day', '20261120', 'disputed 20261120 | 501288'],
    ['an idle number', '000000', 'disputed 000000 | 501288'],
    ['the same number', '501288', 'proven 501288'],
    ['the same number with a label', 'H501288', 'disputed H501288 | 501288 (nearlySame)'],
  ])('%s', (_, value, who) => {
    expect(shown([read(value)]).who).toBe(who)
  })
})

describe('an idle part of confirmed names', () => {
  it.each([
    ['501288/ACC000000_OD.dcm', 'disputed 501288 | 000000'],
    ['999999_501288_OD.dcm', 'disputed 501288 | 999999'],
    ['Exam123456/501288_OS.dcm', 'disputed 501288 | 123456'],
    ['501288/ACC0000_OD.dcm', 'proven 501288'],
    ['501288/ACC401829_OD.dcm', 'proven 501288'],
  ])('%s: %s', (path, who) => expect(shown([dicom(path, { isReadByProfile: true })]).who).toBe(who))
})

describe('what looks like a time beside a stated number', () => {
  it.each([
    ['133710558', 'disputed 33710558 | 133710558 (nearlySame)', '33710558'],
    ['132455', 'disputed 501288 | 132455', '501288'],
    ['20261120', 'disputed H-00417 | 20261120', 'H-00417'],
    ['0', 'proven 501288', '501288'],
    ['UNKNOWN', 'proven 501288', '501288'],
  ])('%s: %s', (inDicom, who, inRecord) => {
    const record = { id: inRecord, day: TODAY, eye: 'right' } as const
    expect(shown([picture('x.dcm', { dicom: { ...record, id: inDicom }, record })]).who).toBe(who)
  })
})
