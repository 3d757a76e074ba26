/** Names that cameras, clinics and published image sets use: learn from the first visits, read the rest. */
import { describe, expect, it } from 'vitest'
import { learntOffers } from '../../../../tools/learnt-offers.ts'
import { readConfirmed } from '../../../../../src-main/station/cases/profiles/strict.ts'
import { compact, type Convention, dayFirst, type ImageFacts, pathsOf, visitsOf } from './approved-visits.ts'

const either =
  (right: string, left: string) =>
  ({ eye }: ImageFacts): string =>
    eye === 'right' ? right : left
const od = either('OD', 'OS')

const VIEWS = ['visible', 'infrared', 'af']
const TWELVE = ({ time }: ImageFacts): string => {
  const hour = Number(time.slice(0, 2))
  return `${hour > 12 ? hour - 12 : hour}.${time.slice(2, 4)}.${time.slice(4)}.120_${hour > 11 ? 'PM' : 'AM'}`
}

type Row = readonly [name: string, pattern: string, convention: Convention]

const ROWS: readonly Row[] = [
  [
    'RetCam workstation',
    '{historyNumber}_/{historyNumber}_Retina_{eye}_{date:YYYYMMDD}_{time:HHMMSS}',
    {
      path: (f) => `${f.id}_/${f.id}_Retina_${od(f)}_${compact(f.day)}_${f.time}.jpg`,
      id: (index) => `105-10-${String(1_001 + index * 7).padStart(4, '0')}-${index % 10}`,
    },
  ],
  [
    'RetCam, older: names without meaning',
    '{historyNumber}/{unique}',
    { path: (f) => `${f.id}/${f.hex(8)}.jpg`, id: (index) => `105-10-${1_989 + index}-${index % 10}` },
  ],
  [
    'Remidio FOP',
    '{name}_{historyNumber}_{date:DD-MM-YYYY}/FOP/{time:H.MM.SS.mmm_AM}',
    {
      path: (f) =>
        `${f.first}_${f.last}_${f.id}_${dayFirst(f.day, '-')}/FOP/${TWELVE(f)}.jpg`.replaceAll(
          / (?=.*\/FOP)/g,
          '_',
        ),
    },
  ],
  [
    'Optomed Aurora: number and UID',
    'AIREADI-{historyNumber}_2.25.{unique}',
    { path: (f) => `AIREADI-${f.id}_2.25.${f.digits(38)}.dcm`, id: (index) => String(1_353 + index) },
  ],
  [
    'iCare EIDON',
    'HC-{historyNumber}-{eye}-{number}-{view}-{number}',
    {
      path: (f) => `HC-${f.id}-${od(f)}-${(f.ofEye * 3) % 11}-${VIEWS[f.ofEye % 3]}-${f.ofVisit}.dcm`,
      imagesPerEye: 3,
    },
  ],
  [
    'Topcon TRC (Messidor)',
    '{date:YYYYMMDD}_{historyNumber}_{unique}_PP',
    {
      path: (f) => `${compact(f.day)}_${f.id}_0${f.ofVisit}00_PP.tif`,
      id: (index) => String(38_557 + index * 13),
    },
  ],
  [
    'DeepDRiD: patient, eye and view',
    '{historyNumber}/{historyNumber}_{eye}{number}',
    {
      path: (f) => `${f.id}/${f.id}_${either('r', 'l')(f)}${f.ofEye}.jpg`,
      id: (index) => String(201 + index * 3),
    },
  ],
  [
    'EyePACS and ODIR',
    '{historyNumber}_{eye}',
    { path: (f) => `${f.id}_${f.eye}.jpeg`, id: (index) => String(10 + index * 13), imagesPerEye: 1 },
  ],
  [
    'Phelcom Eyer: operator template',
    'ClinicaSur/{name}_{historyNumber}/{date:YYYYMMDD}-{time:HHMMSS}_{eye}_Color_{unique}',
    {
      path: (f) =>
        `ClinicaSur/${f.last} ${f.first}_${f.id}/${compact(f.day)}-${f.time}_${od(f)}_Color_${f.hex(4)}.jpg`,
    },
  ],
  [
    'Canon AO camera',
    '{number}-{date:YYYYMMDD}{time:HHMMSS}-{historyNumber}-00-{view}-{eye}--{unique}-P0-{number}',
    {
      path: (f) =>
        `${f.digits(3).replace(/^0/, '2')}-${compact(f.day)}${f.time}-${f.id}-00-${Number(f.id) % 2 ? 'F' : 'M'}-${od(f)}--0${f.digits(5)}-P0-${f.ofVisit}.jpg`,
      id: (index) => String(11_002 + index * 7),
    },
  ],
  [
    'Zeiss bulk export',
    'data/Z{historyNumber} {date:YYYYMMDD}/{historyNumber} {eye} {number}',
    { path: (f) => `data/Z${f.id} ${compact(f.day)}/${f.id} ${od(f)} ${f.ofVisit}.jpg` },
  ],
  [
    'GE Vscan style: number and names, moment in a folder',
    '{historyNumber}_{name}/{date:YYYYMMDD}{time:HHMMSS}/{eye}_{number}',
    {
      path: (f) =>
        `${f.id}_${f.first.replaceAll(' ', '-')}_${f.last.replaceAll(' ', '-')}/${compact(f.day)}${f.time}/${od(f)}_${f.ofEye}.jpg`,
    },
  ],
  [
    'Mediwhale examples',
    '{number}_{historyNumber}_{eye}',
    {
      path: (f) => `${400 + (Number(f.id) % 90)}_${f.id}_${f.eye}.jpg`,
      id: (index) => `0717537${String(90_011 + index * 17)}`,
    },
  ],
  [
    'one folder with a manifest',
    '{historyNumber}_{eye}_{number}',
    { path: (f) => `${f.id}_${either('R', 'L')(f)}_${f.ofEye}.bmp` },
  ],
  [
    'name, birth date, number, moment, letter',
    '{lastName}_{firstName}_{otherDate:YYYYMMDD}_{historyNumber}_{date:YYYYMMDD}_{time:HHMMSS}_{eye}',
    {
      path: (f) =>
        `${f.last}_${f.first}_${f.birth}_${f.id}_${compact(f.day)}_${f.time}_${either('R', 'L')(f)}.jpg`,
      areNamed: true,
    },
  ],
  [
    'Volk Pictor style',
    'Pictor/{historyNumber}/{date:YYYY-MM-DD}/Pictor_{eye}_{number}',
    { path: (f) => `Pictor/${f.id}/${f.day}/Pictor_${either('RE', 'LE')(f)}_${f.ofVisit}.jpg` },
  ],
  [
    'NHS numbers in their official spelling',
    '{historyNumber}/{historyNumber}_{date:YYYYMMDD}_{eye}_{number}',
    {
      path: (f) => `${f.id}/${f.id}_${compact(f.day)}_${od(f)}_${f.ofEye}.jpg`,
      id: (index) => `943 ${476 + index} ${5_919 + index * 3}`,
    },
  ],
  [
    'German words and a date with dots',
    '{historyNumber} {date:DD.MM.YYYY} {eye} {number}',
    { path: (f) => `${f.id} ${dayFirst(f.day, '.')} ${either('rechts', 'links')(f)} ${f.ofEye}.png` },
  ],
  [
    'Spanish letters, which only approvals explain',
    '{date:YYYY}/{date:MM}/{historyNumber}_{date:YYYYMMDD}_{eye}_{number}',
    {
      path: (f) =>
        `${f.day.slice(0, 4)}/${f.day.slice(5, 7)}/${f.id}_${compact(f.day)}_${either('D', 'I')(f)}_${f.ofEye}.jpg`,
    },
  ],
  [
    'time in front of the letter',
    '{name}_{historyNumber}/{date:YYYYMMDD}/{eye}_{time:HHMMSS}',
    {
      path: (f) =>
        `${f.last.replaceAll(' ', '-')}_${f.first}_${f.id}/${compact(f.day)}/${either('R', 'L')(f)}_${f.time}.jpg`,
      id: (index) => String(3_269_644 + index * 11),
    },
  ],
]

describe.each(ROWS)('%s', (_, pattern, convention) => {
  const visits = visitsOf(convention, 60)
  const [first, later] = [visits.slice(0, 24), visits.slice(24)]
  const offers = learntOffers(first, pathsOf(visits), [])

  it(`is offered as ${pattern}`, () => {
    expect(offers.map((offer) => offer.pattern)).toEqual([pattern])
    expect(offers.flatMap(({ counterExamples }) => counterExamples)).toEqual([])
  })

  it('reads the later visits as they are, and in one way', () => {
    const [offer] = offers
    expect(offer).toBeDefined()
    if (!offer) return
    const lacks = new Set(offer.notChecked)
    for (const visit of later)
      for (const { path, eye } of visit.files) {
        const result = readConfirmed(offer.profile, path)
        expect(result.kind === 'one' ? result.reading.historyNumber.value : path).toEqual(visit.historyNumber)
        if (result.kind !== 'one') continue
        expect(result.reading.eye?.value ?? null).toEqual(lacks.has('eye') ? null : eye)
        expect(result.reading.visitDate?.value ?? null).toEqual(
          lacks.has('visitDate') ? null : visit.visitDay,
        )
      }
  })
})
