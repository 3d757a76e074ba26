import {
  type CameraLayout,
  type ExportedFile,
  EYE_LETTERS,
  EYE_CODES,
  fileOf,
  imageFile,
  type LayoutVisit,
  momentOf,
  padded,
  type Shot,
  shotsOfBothEyes,
  utf16,
} from './layout.ts'

/** Measurements with two decimals, which a wrong reading of the comma would turn into thousands. */
const MANIFEST_VALUES = { od_iop: 14.5, os_iop: 15.25, od_sphere: -1.75, os_sphere: -2 } as const

/** Layout 12: loose BMP files of all patients, and one CSV with a row for each: `;`, decimal comma, Latin-1. */
export const flatWithCsv: CameraLayout = (visits) => {
  const headings = ['history_number', 'first_name', 'last_name', 'birth_date', 'gender', 'visit_date']
  const rows = visits.flatMap((visit) =>
    shotsOfBothEyes(1).map((shot) => [
      idOf(visit),
      visit.firstName,
      visit.lastName,
      visit.birthDate,
      visit.sex,
      visit.visitDate,
      bitmapName(visit, shot),
      EYE_CODES[shot.eye],
      ...Object.values(MANIFEST_VALUES).map(withComma),
    ]),
  )
  return [
    ...bitmapsOf(visits),
    csvFile('export.csv', visits, [[...headings, 'file', 'eye', ...Object.keys(MANIFEST_VALUES)], ...rows]),
  ]
}

/** Layout 12 with an XML file for each patient in UTF-16, which names the images and their eyes. */
export const flatWithXml: CameraLayout = (visits) => [
  ...bitmapsOf(visits),
  ...visits.map((visit) => {
    const stated = {
      history_number: idOf(visit),
      first_name: visit.firstName,
      last_name: visit.lastName,
      birth_date: visit.birthDate,
      gender: visit.sex === 'F' ? 'Female' : 'Male',
      visit_date: visit.visitDate,
      ...MANIFEST_VALUES,
    }
    const images = shotsOfBothEyes(1).map(
      (shot) => `<image><file>${bitmapName(visit, shot)}</file><eye>${EYE_CODES[shot.eye]}</eye></image>`,
    )
    const values = Object.entries(stated).map(([name, value]) => `<${name}>${value}</${name}>`)
    const xml = `<?xml version="1.0" encoding="UTF-16"?><case>${values.join('')}${images.join('')}</case>`
    return fileOf(`${idOf(visit)}.xml`, 'sidecar', momentOf(visit, 6).at, () => utf16(xml))
  }),
]

/** Layout 12 with the maker's own headings, days first, and names that state nothing: the CSV names file and eye. */
export const flatWithForeignCsv: CameraLayout = (visits) => {
  const images = visits.flatMap((visit, order) =>
    shotsOfBothEyes(1).map((shot) => {
      const name = `IMG_${padded(order * 2 + shot.index + 1, 4)}.bmp`
      return { visit, shot, name }
    }),
  )
  const rows = images.map(({ visit, shot, name }) => [
    idOf(visit),
    visit.lastName,
    dayFirst(visit.birthDate),
    dayFirst(visit.visitDate),
    EYE_CODES[shot.eye],
    name,
  ])
  const headings = ['Patient ID', 'Surname', 'Born', 'Exam', 'Side', 'Picture']
  return [
    ...images.map(({ visit, shot, name }) => imageFile(name, visit, shot, 'bmp')),
    csvFile('export.csv', visits, [headings, ...rows]),
  ]
}

/** A folder for each patient with photographs that a counter names, and a `case.json` that states all. */
export const folderWithCaseJson: CameraLayout = (visits) =>
  visits.flatMap((visit) => {
    const folder = `${idOf(visit)}_${momentOf(visit, 0).day}`
    const shots = shotsOfBothEyes(1)
    const nameOf = (index: number): string => `IMG_${padded(index + 1, 4)}.png`
    const stated = {
      history_number: idOf(visit),
      visit_date: visit.visitDate,
      gender: visit.sex === 'F' ? 'female' : 'male',
      ...MANIFEST_VALUES,
      images: Object.fromEntries(shots.map(({ eye, index }) => [nameOf(index), EYE_CODES[eye]])),
    }
    return [
      ...shots.map((shot) => imageFile(`${folder}/${nameOf(shot.index)}`, visit, shot, 'png')),
      fileOf(`${folder}/case.json`, 'sidecar', momentOf(visit, 6).at, () =>
        Buffer.from(`${JSON.stringify(stated, null, 2)}\n`),
      ),
    ]
  })

function bitmapsOf(visits: readonly LayoutVisit[]): readonly ExportedFile[] {
  return visits.flatMap((visit) =>
    shotsOfBothEyes(1).map((shot) => imageFile(bitmapName(visit, shot), visit, shot, 'bmp')),
  )
}

function bitmapName(visit: LayoutVisit, shot: Shot): string {
  return `${idOf(visit)}_${EYE_LETTERS[shot.eye]}_1.bmp`
}

function csvFile(
  name: string,
  visits: readonly LayoutVisit[],
  rows: readonly (readonly string[])[],
): ExportedFile {
  const [visit] = visits
  if (visit === undefined) throw new Error('A manifest is of at least one visit.')
  const text = rows.map((row) => `${row.join(';')}\r\n`).join('')
  return fileOf(name, 'sidecar', momentOf(visit, 6).at, () => Buffer.from(text, 'latin1'))
}

function idOf(visit: LayoutVisit): string {
  return padded(4_000 + visit.number, 6)
}

function withComma(value: number): string {
  return value.toFixed(2).replace('.', ',')
}

function dayFirst(date: string): string {
  return date.split('-').toReversed().join('.')
}
