import { describe, expect, it } from 'vitest'
import {
  ignoredTermOf,
  type ProfileReading,
  readByProfile,
} from '../../../../../src-main/station/intake/profile/profile.ts'
import { type Profile, profileSchema, SHIPPED_PROFILES } from '../../../../../src-shared/profile.ts'
import { inEnglish } from '../../../../../src-shared/wording.ts'

function profileWith(patterns: string | readonly string[], more: object = {}): Profile {
  const list = typeof patterns === 'string' ? [patterns] : patterns
  return profileSchema.parse({ id: 'own', title: 'Own', patterns: list, ...more })
}

/** The values that were read, such as `id=7; date=2026-06-02; eye=left`. */
function valuesOf(reading: ProfileReading | null): string {
  const values = {
    id: reading?.historyNumber?.value,
    last: reading?.lastName?.value,
    first: reading?.firstName?.value,
    date: reading?.visitDate?.value,
    time: reading?.time,
    eye: reading?.eye?.value,
  }
  return Object.entries(values)
    .flatMap(([name, value]) => (value ? `${name}=${value}` : []))
    .join('; ')
}

const DMY = { dateOrder: 'dmy' } as const
const FIRST_LAST = { nameOrder: 'firstLast' } as const
const D_AND_I = { eyeWords: { right: ['D'], left: ['I'] } }

describe('a path that a pattern describes', () => {
  it.each<[pattern: string, path: string, values: string, more?: object]>([
    ['{historyNumber}_{eye}', '004512_OD.jpg', 'id=004512; eye=right'],
    ['{historyNumber}_{eye}', 'any/Thing at all/004512_OD.jpg', 'id=004512; eye=right'],
    ['{historyNumber}_{eye}', '004512_l', 'id=004512; eye=left'],
    ['{historyNumber}_{eye}', 'HC-004512_Left.jp2', 'id=HC-004512; eye=left'],
    // Separators that the pattern does not write may belong to the number.
    ['{historyNumber} {eye}', '12_345.678 R.png', 'id=12_345.678; eye=right'],
    ['İSTANBUL Σ_{historyNumber}', 'İstanbul σ_12.jpg', 'id=12'],
    ['İ{historyNumber}_X', 'İ12_x.jpg', 'id=12'],
    ['{historyNumber}_{date:YYYYMMDD}{number}', '12_202606020003.jpg', 'id=12; date=2026-06-02'],
    ['{historyNumber}_FUNDUS_{eye}', '1_Fundus_re.jpg', 'id=1; eye=right'],
    ['{historyNumber}[_{date}][_{eye}]', '7.jpg', 'id=7'],
    ['{historyNumber}[_{date}][_{eye}]', '7_OS.jpg', 'id=7; eye=left'],
    ['{historyNumber}[_{date}[_{eye}]]', '7_20260602_OS.jpg', 'id=7; date=2026-06-02; eye=left'],
    ['{historyNumber}_{date}', '7_02-06-2026.jpg', 'id=7; date=2026-06-02', DMY],
    ['{historyNumber}_{date}', '7_02062026.jpg', 'id=7; date=2026-06-02', DMY],
    ['{historyNumber}_{date}', '7_2026-6-2.jpg', 'id=7; date=2026-06-02', DMY],
    ['{historyNumber}_{date}', '7_06.02.2026.jpg', 'id=7; date=2026-06-02', { dateOrder: 'mdy' }],
    ['{historyNumber}_{date:DDMMYY}', '7_020626.jpg', 'id=7; date=2026-06-02'],
    ['{historyNumber}{date:YYYYMMDD}', '720260602.jpg', 'id=7; date=2026-06-02'],
    [
      '{date:YYYY/MM/DD}/{historyNumber}_{eye}',
      'x/2026/06/02/7_D.jpg',
      'id=7; date=2026-06-02; eye=right',
      D_AND_I,
    ],
    ['{historyNumber}_{dateTime}', '7_20260602121802.jpg', 'id=7; date=2026-06-02; time=12:18:02'],
    ['{historyNumber}_{dateTime}', '7_2026-06-02T12.18.02.jpg', 'id=7; date=2026-06-02; time=12:18:02'],
    ['{historyNumber}_{time}', '7_3.00.05.120_PM.jpg', 'id=7; time=15:00:05'],
    ['{historyNumber}_{time}', '7_12.00.05.120_AM.jpg', 'id=7; time=00:00:05'],
    ['{historyNumber}_{time}', '7_12-18-02 pm.jpg', 'id=7; time=12:18:02'],
    ['{historyNumber}_{time:HHMM}', '7_0930.jpg', 'id=7; time=09:30:00'],
    ['{lastName}_{historyNumber}', "D'Ávila-Os_12.jpg", "id=12; last=D'Ávila-Os"],
    ['{lastName}_{historyNumber}', '\u{20bb7}_12.jpg', 'id=12; last=\u{20bb7}'],
    // The same letters in their other Unicode form.
    ['{lastName}_{historyNumber}', 'Núñez_12.jpg'.normalize('NFD'), 'id=12; last=Núñez'],
    ['Clínica/{historyNumber}/{any}', 'CLÍNICA/12/x.jpg'.normalize('NFD'), 'id=12'],
    ['{lastName} {firstName}_{historyNumber}', 'LOPEZ PAZ ANA_1.jpg', 'id=1; last=LOPEZ PAZ; first=ANA'],
    ['{firstName} {lastName}_{historyNumber}', 'Ana Lopez Paz_1.jpg', 'id=1; last=Lopez Paz; first=Ana'],
    ['{name}_{historyNumber}', 'Lopez^Ana_12.jpg', 'id=12; last=Lopez; first=Ana'],
    ['{name}_{historyNumber}', 'Paz Gil, Ana Eva_1.jpg', 'id=1; last=Paz Gil; first=Ana Eva', FIRST_LAST],
    ['{name}_{historyNumber}', 'Ana_Lopez_12.jpg', 'id=12; last=Lopez; first=Ana', FIRST_LAST],
    // A surname that is also a word for an eye does not take the eye's place.
    ['{historyNumber}_{name}_{eye}', '12_Le_Ana_OD.jpg', 'id=12; last=Le; first=Ana; eye=right'],
    ['{historyNumber}_{eye}_{view}', '12_OS_Disc 2.jpg', 'id=12; eye=left'],
  ])('%s  reads  %s', (pattern, path, values, more) => {
    const reading = readByProfile(profileWith(pattern, more), path)
    expect(valuesOf(reading)).toEqual(values)
    expect(reading?.unclear).toEqual([])
  })

  it('states whether the folder or the file said it', () => {
    const profile = profileWith('{historyNumber}/[{historyNumber}_]{eye}_{number}')
    expect(readByProfile(profile, 'H-1/h-1_OD_1.jpg')).toMatchObject({
      historyNumber: { value: 'H-1', source: 'folderName' },
      eye: { value: 'right', source: 'fileName' },
      isEyePlaced: true,
    })
  })

  it('is read by the first pattern that fits, and by one that can be read before one in shape only', () => {
    const profile = profileWith(['{historyNumber}_{eye}_{number}', '{historyNumber}_{view}_{number}'])
    expect(valuesOf(readByProfile(profile, '12_OS_1.jpg'))).toEqual('id=12; eye=left')
    expect(valuesOf(readByProfile(profile, '12_Disc_1.jpg'))).toEqual('id=12')
  })

  it('takes words of the profile before those that everybody knows', () => {
    const profile = profileWith('{historyNumber}_{eye}', {
      eyeWords: { right: ['L', '1', 'ojo d'], left: ['2'] },
    })
    const eyes = ['1_L', '1_1', '1_2', '1_Ojo D', '1_LE'].map(
      (path) => readByProfile(profile, path)?.eye?.value,
    )
    expect(eyes).toEqual(['right', 'right', 'left', 'right', 'left'])
  })
})

describe('a path that no pattern describes', () => {
  it.each([
    ['{historyNumber}_{eye}', '004512_OD_1.jpg'],
    ['{historyNumber}_{eye}', 'x004512-OD.jpg'],
    ['{historyNumber}/{eye}_{number}', 'OD_1.jpg'],
    ['E{number}/{eye}', 'XE12/OD.jpg'],
    ['ISTANBUL_{historyNumber}', 'İstanbul_12.jpg'],
    ['{historyNumber}_{number}', '12_3a.jpg'],
    ['{historyNumber}_{any}', `12_${'a'.repeat(300)}.jpg`],
    ['{historyNumber}_{any}_{any}', `12_${'a'.repeat(200)}_${'b'.repeat(100)}.jpg`],
    ['{historyNumber}', ''],
    ['{historyNumber}', '/'],
  ])('%s  does not read  %s', (pattern, path) => {
    expect(readByProfile(profileWith(pattern), path)).toBeNull()
  })
})

describe('what is unclear is no value', () => {
  it.each<[pattern: string, path: string, left: string, sentence: RegExp, more?: object]>([
    // A date in another order than the profile's, or none at all.
    ['{historyNumber}_{date}', '7_14-02-2026.jpg', 'id=7', /order year, month, day/],
    ['{historyNumber}_{date}', '7_02-14-2026.jpg', 'id=7', /order day, month, year/, DMY],
    ['{historyNumber}_{date}', '7_20260231.jpg', 'id=7', /visit date/],
    ['{historyNumber}_{date}', '7_19600203.jpg', 'id=7', /visit date/],
    ['{historyNumber}_{date}', '7_14-02-26.jpg', 'id=7', /visit date/],
    ['{historyNumber}_{date}', '7_260214.jpg', 'id=7', /visit date/],
    // Two that disagree.
    ['{historyNumber}/{historyNumber}_{eye}', '12/13_OD.jpg', 'eye=right', /history number stands twice/],
    ['{historyNumber}_{eye}/{eye}_{number}', '12_OD/OS_1.jpg', 'id=12', /both eyes/],
    ['{historyNumber}/{date}/{date}', '12/20260602/20260603.jpg', 'id=12', /two visit dates/],
    [
      '{lastName}_{historyNumber}/{lastName}_{eye}',
      'Paz_1/Gil_OD.jpg',
      'id=1; eye=right',
      /name stands twice/,
    ],
    // An unknown eye; D and I only if the profile says so.
    ['{historyNumber}_{eye}', '12_Disc.jpg', 'id=12', /word that the profile does not know/],
    ['{historyNumber}_{eye}', '12_D.jpg', 'id=12', /does not know/],
    ['{historyNumber}_{eye}', '12_OU.jpg', 'id=12', /does not know/],
    // Two readings of one name.
    ['{historyNumber}-{any}', 'HC-004512-7-x.jpg', '', /history number be read in two ways/],
    ['{any}-{historyNumber}-{any}', `${'7-'.repeat(70)}8-x.jpg`, '', /history number be read in two ways/],
    [
      '{historyNumber}_{name}_{eye}[_{view}]',
      '1_Paz_Os_OD.jpg',
      'id=1; last=Paz; first=Os',
      /be read in two ways/,
    ],
    // No history number: the folder of a camera, of a day, of an eye.
    ['{historyNumber}/{any}', '100CANON/x.jpg', '', /folder of the camera/],
    ['{historyNumber}/{any}', 'DCIM/x.jpg', '', /history number/],
    ['{historyNumber}/{any}', '12/OD/x.jpg', '', /history number/],
    ['{historyNumber}/{any}', '20260602/x.jpg', '', /history number/],
    ['{historyNumber}/{any}', '2026-06-02/x.jpg', '', /history number/],
  ])('%s  in  %s', (pattern, path, left, sentence, more) => {
    const reading = readByProfile(profileWith(pattern, more), path)
    expect(valuesOf(reading)).toEqual(left)
    expect(reading?.unclear.map(inEnglish)).toEqual([expect.stringMatching(sentence)])
  })

  it('keeps a history number that looks like a day if the day stands elsewhere', () => {
    const reading = readByProfile(profileWith('{historyNumber}/{date}_{eye}'), '20150312/20260602_OD.jpg')
    expect(valuesOf(reading)).toEqual('id=20150312; date=2026-06-02; eye=right')
  })

  it('never shows a word of the name in a sentence', () => {
    const profile = profileWith('{lastName}_{historyNumber}/{lastName}_{historyNumber}_{eye}_{date}')
    const reading = readByProfile(profile, 'Zyxwv_98765/Qponm_87654_Kjihg_31313131.jpg')
    expect(reading?.unclear).toHaveLength(4)
    expect(reading?.unclear.map(inEnglish).join(' ')).not.toMatch(/zyxwv|qponm|kjihg|98765|87654|3131/i)
  })
})

describe('a file that is left alone', () => {
  const profile = profileWith('{any}_{eye}', { leaveAlone: ['infrared', '11-visible', 'REPORTS', 'Máscara'] })
  it.each([
    ['HC-1-OD-0-infrared-1.dcm', 'infrared'],
    ['HC-1-OD-0-INFRARED.dcm', 'infrared'],
    ['HC-1-OD-11-visible-1.dcm', '11-visible'],
    ['12/Reports/1.jpg', 'REPORTS'],
    ['12/1_máscara.jpg'.normalize('NFD'), 'Máscara'],
    ['HC-1-OD-111-visible-1.dcm', null],
    ['HC-1-OD-0-infrared2.dcm', null],
    ['Infrared Ana_12/1.jpg', null],
    ['', null],
  ])('%s: %s', (path, term) => {
    expect(ignoredTermOf(profile, path)).toBe(term)
  })
})

/** Of each shipped profile, paths with their history number, names, visit date, time and eye; `-` for nothing. */
const READ: Readonly<Record<string, readonly string[]>> = {
  retcam: [
    '105-10-0001-2_/105-10-0001-2_Retina_OD_20260602_121802.jpg → 105-10-0001-2 - - 2026-06-02 12:18:02 right',
    '105-10-0001-2_/105-10-0001-2_Retina_OS_20260602_121815.dcm → 105-10-0001-2 - - 2026-06-02 12:18:15 left',
  ],
  'unique-names': [
    '105-10-0001-2/7f0c2a9e.jpg → 105-10-0001-2 - - - - -',
    '105-10-0001-2/b1d4c09e-5a3f-4e21-9c7d-0f6e2a81b512.jpg → 105-10-0001-2 - - - - -',
    '105-10-0001-2_/7f0c2a9e.jpg → 105-10-0001-2 - - - - -',
  ],
  'remidio-fop': [
    'Ana_Lopez_10000001_14-02-2025/FOP/3.00.05.120_PM.jpg → 10000001 Lopez Ana 2025-02-14 15:00:05 -',
    'Ana_10000001_03-04-2025/FOP/11.59.00.001_AM.jpg → 10000001 - Ana 2025-04-03 11:59:00 -',
    'Ana_Lopez_10000001_14-02-2025/REPORTS/3.02.11.001_PM.pdf → left alone because of REPORTS',
  ],
  'topcon-dicom': [
    '2.16.840.1.114517.10.5.1.4.1.20260602101500.2.1.dcm → nothing',
    '2.16.840.1.114517.10.5.1.4.1.20260602101500.1.1.dcm → nothing',
  ],
  eidon: [
    'HC-004512-OD-0-visible-1.dcm → HC-004512 - - - - right',
    'HC-004512-OS-11-visible-2.dcm → HC-004512 - - - - left',
    'HC-004512-OD-0-infrared-1.dcm → HC-004512 - - - - right',
  ],
  'eidon-photos': [
    'HC-004512-OD-0-visible-1.dcm → HC-004512 - - - - right',
    'HC-004512-OS-3-visible-2.dcm → HC-004512 - - - - left',
    'HC-004512-OD-0-infrared-1.dcm → left alone because of infrared',
    'HC-004512-OD-11-visible-1.dcm → left alone because of 11-visible',
  ],
  'optomed-dicom': ['HC-004512_2.25.297362505.dcm → HC-004512 - - - - -'],
  'dicom-media': ['DICOM/00000001 → nothing', 'DICOM/00000002 → nothing'],
  'topcon-trc': ['20260602_38557_0100_PP.tif → 38557 - - 2026-06-02 - -'],
  'camera-back': [
    'E0000043/DS000DGS.JPG → E0000043 - - - - -',
    'E0000043/IMG_0012.JPG → E0000043 - - - - -',
    'E0000043/DSC_0007.JPG → E0000043 - - - - -',
  ],
  'patient-eye-view': [
    '347/347_l1.jpg → 347 - - - - left',
    '347/347_r2.jpg → 347 - - - - right',
    'HC-004512/HC-004512_R1.jpg → HC-004512 - - - - right',
  ],
  'phelcom-eyer': [
    'ClinicaSur/LOPEZ GARCIA ANA_004512/20260602-101502_OS_Color_a81f.jpg → 004512 LOPEZ GARCIA ANA 2026-06-02 10:15:02 left',
    'ClinicaSur/OS LOPEZ ANA_004512/20260602-101502_OD_Color_a81f.jpg → 004512 OS LOPEZ ANA 2026-06-02 10:15:02 right',
    'ClinicaSur/NÚÑEZ DE OD JOSÉ_004513/20260602-101502_OS_RedFree_e19d.jpg → 004513 NÚÑEZ DE OD JOSÉ 2026-06-02 10:15:02 left',
  ],
  'flat-with-manifest': [
    '004512_R_1.bmp → 004512 - - - - right',
    '004512_L_2.bmp → 004512 - - - - left',
    'HC-004512_OD_1.jpg → HC-004512 - - - - right',
  ],
}

function readingOf(profile: Profile, path: string): string {
  const term = ignoredTermOf(profile, path)
  if (term !== null) return `left alone because of ${term}`
  const reading = readByProfile(profile, path)
  if (reading === null) return 'nothing'
  expect(reading.unclear).toEqual([])
  const { historyNumber, lastName, firstName, visitDate, time, eye } = reading
  const stated = [historyNumber, lastName, firstName, visitDate].map((value) => value?.value ?? '-')
  return [...stated, time ?? '-', eye?.value ?? '-'].join(' ')
}

it.each(SHIPPED_PROFILES.map((profile) => [profile.id, profile] as const))(
  'the shipped profile %s reads paths of its layout',
  (id, profile) => {
    const lines = READ[id] ?? []
    const paths = lines.map((line) => line.split(' → ')[0] ?? '')
    expect(paths.map((path) => `${path} → ${readingOf(profile, path)}`)).toEqual(lines)
    expect(paths).not.toEqual([])
  },
)
