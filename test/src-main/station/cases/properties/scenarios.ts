/**
 * Random visits of synthetic patients, as files that a camera might leave, with what each file states.
 *
 * Left out, because there the order decides: a `case.json` that is overwritten for the next patient. Left out,
 * because `copies.test.ts` covers them: copies beside data files and twins. Left out, because then
 * nothing but the first name has a time: copies whose files are of another day than the image.
 */
import { createHash } from 'node:crypto'
import { fc } from '../../../../tools/property.ts'
import sharp from 'sharp'
import { DAY, MINUTE } from '../../../../../src-shared/durations.ts'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import type { CameraFile } from '../cases-with.ts'

export type StatedEye = 'right' | 'left'

/** What a file states by its name, its folder or its own attributes; null if it states nothing. */
export type Statement = { readonly patient: string | null; readonly eye: StatedEye | null }

/** One file. `picture` is the same for all files that hold the same bytes or the same DICOM object. */
export type PlannedFile = CameraFile & {
  readonly picture: string | null
  readonly stated: readonly Statement[]
  /** A copy under another name, or a second export of the same DICOM object. */
  readonly isSeenAgain: boolean
}

export const PATIENTS = ['H-00101', 'H-00102', 'H-00103', 'H-00104'] as const
const DAYS = ['2026-11-20', '2026-11-19'] as const
/** Nine in the morning of the first day, on the clock of the station. */
const MORNING = Date.UTC(2026, 10, 20, 9)

type Drawn<From> = From extends fc.Arbitrary<infer Value> ? Value : never

const shot = fc.record({
  eye: fc.constantFrom<(StatedEye | null)[]>('right', 'left', 'right', 'left', null),
  format: fc.constantFrom('jpg', 'png', 'dcm'),
  twin: fc.constantFrom('none', 'none', 'silent', 'same', 'otherEye', 'otherPatient'),
  copy: fc.constantFrom('none', 'none', 'besides', 'otherEye', 'otherPatient'),
  exportedAgain: fc.constantFrom('none', 'same', 'otherEye', 'otherPatient'),
})

const visit = fc.record({
  patient: fc.integer({ min: 0, max: PATIENTS.length - 1 }),
  day: fc.constantFrom<(0 | 1 | null)[]>(0, 0, 1, null),
  layout: fc.constantFrom('folderAndFile', 'folderOnly', 'flat', 'letters', 'bare'),
  shots: fc.array(shot, { minLength: 1, maxLength: 3 }),
  data: fc.constantFrom('none', 'none', 'case', 'table', 'document'),
  dataSays: fc.constantFrom('same', 'same', 'otherPatient', 'otherEyes'),
  /** Minutes after nine: visits of one day lie hours apart or close together. */
  minute: fc.constantFrom(0, 3, 7, 180, 186),
})

export type Visit = Drawn<typeof visit>

/** One to four visits of up to four patients, one to three photographs each. */
export const visits = fc.array(visit, { minLength: 1, maxLength: 4 })

const EYE_CODES = { right: 'OD', left: 'OS' } as const
const LETTERS = { right: 'r', left: 'l' } as const

function otherEyeOf(eye: StatedEye | null): StatedEye {
  return eye === 'right' ? 'left' : 'right'
}

function otherPatientOf(patient: number): number {
  return (patient + 1) % PATIENTS.length
}

function idOf(patient: number): string {
  return PATIENTS[patient] ?? PATIENTS[0]
}

/** A path without its extension, and what it says. */
function nameOf(
  visit: Visit,
  number: string,
  eye: StatedEye | null,
): { readonly stem: string; readonly stated: Statement } {
  const id = idOf(visit.patient)
  const day = visit.day === null ? '' : `_${DAYS[visit.day].replaceAll('-', '')}`
  const code = eye === null ? '' : `_${EYE_CODES[eye]}`
  const stated = { patient: id, eye }
  switch (visit.layout) {
    case 'folderAndFile':
      return { stem: `${id}${day}/${id}${day}${code}_${number}`, stated }
    case 'folderOnly':
      return { stem: `${id}${day}/img${code}_${number}`, stated }
    case 'flat':
      return { stem: `${id}${day}${code}_${number}`, stated }
    case 'letters':
      // A letter alone is no statement.
      return {
        stem: `${id}${day}/${eye === null ? 'x' : LETTERS[eye]}${number}`,
        stated: { patient: id, eye: null },
      }
    case 'bare':
      return { stem: `case-${number.slice(0, 1)}/00${number}`, stated: { patient: null, eye: null } }
  }
}

async function pictureOf(number: string, format: 'jpg' | 'png'): Promise<Buffer> {
  const background = { r: (Number(number) * 7) % 256, g: Number(number) % 251, b: 9 }
  const drawn = sharp({ create: { width: 24, height: 16, channels: 3, background } })
  return format === 'jpg' ? drawn.jpeg().toBuffer() : drawn.png().toBuffer()
}

const PIXELS = Uint8Array.from({ length: 12 * 8 * 3 }, (_, at) => (at * 37) % 256)

type DicomSays = {
  readonly patient: number | null
  readonly eye: StatedEye | null
  readonly sopUid: string
  readonly visit: Visit
  readonly minute: number
  readonly description: string
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Each photograph has pixels of its own. */
function pixelsOf(sopUid: string): Buffer {
  return Buffer.concat([createHash('sha256').update(sopUid).digest(), PIXELS.subarray(32)])
}

const dicomFiles = new Map<string, Promise<Buffer>>()

/** DICOM's bytes; drawn once for all runs. */
function dicomOf({ patient, eye, sopUid, visit, minute, description }: DicomSays): Promise<Buffer> {
  const day = DAYS[visit.day ?? 0].replaceAll('-', '')
  const clock = `${twoDigits(9 + Math.floor(minute / 60))}${twoDigits(minute % 60)}00`
  const key = JSON.stringify([patient, eye, sopUid, day, clock, description])
  const made =
    dicomFiles.get(key) ??
    dicomFile({
      transferSyntax: 'explicitLittle',
      image: { rgb: pixelsOf(sopUid), width: 12, height: 8 },
      patientId: patient === null ? '' : idOf(patient),
      patientName: 'SYNTHETIC^PERSON',
      studyDate: day,
      acquisitionDateTime: `${day}${clock}.000`,
      sopUid,
      ...(eye === null ? {} : { laterality: eye === 'right' ? 'R' : 'L' }),
      attributes: { '0008103E': { vr: 'LO', Value: [description] } },
    })
  dicomFiles.set(key, made)
  return made
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

async function filesOfShot(visit: Visit, of: Drawn<typeof shot>, number: string): Promise<PlannedFile[]> {
  const { stem, stated } = nameOf(visit, number, of.eye)
  const minute = visit.minute + Number(number.slice(1))
  // Clocks agree: the time of a file is that of its photograph.
  const at = MORNING - (visit.day ?? 0) * DAY + minute * MINUTE
  const files: PlannedFile[] = []
  const dicom = async (
    path: string,
    sopUid: string,
    says: Statement,
    description: string,
  ): Promise<PlannedFile> => {
    const patient = says.patient === null ? null : PATIENTS.findIndex((id) => id === says.patient)
    const bytes = await dicomOf({ patient, eye: says.eye, sopUid, visit, minute, description })
    return { path, bytes, at, picture: sopUid, stated: [says], isSeenAgain: false }
  }
  /** What a file says beside the name of the photograph. */
  const saying = (what: 'silent' | 'same' | 'otherEye' | 'otherPatient'): Statement =>
    what === 'silent'
      ? { patient: null, eye: null }
      : {
          patient: idOf(what === 'otherPatient' ? otherPatientOf(visit.patient) : visit.patient),
          eye: what === 'otherEye' ? otherEyeOf(of.eye) : of.eye,
        }
  const sopUid = `2.25.9${number}`
  const { format } = of
  const own = format === 'dcm'
  if (own) {
    const file = await dicom(`${stem}.dcm`, sopUid, saying('same'), 'first')
    files.push({ ...file, stated: [...file.stated, stated] })
  } else {
    const bytes = await pictureOf(number, format)
    files.push({
      path: `${stem}.${format}`,
      bytes,
      at,
      picture: `picture ${number}`,
      stated: [stated],
      isSeenAgain: false,
    })
    if (of.twin !== 'none') {
      const twin = await dicom(`${stem}.dcm`, `${sopUid}.2`, saying(of.twin), 'twin')
      files.push({ ...twin, stated: [...twin.stated, stated] })
    }
  }
  const [first] = files
  if (first === undefined) return files
  // Copies beside data files and twins have tests of their own, in `copies.test.ts`.
  const maySpeakTwice = visit.data === 'none' && files.length === 1
  if (of.copy !== 'none' && maySpeakTwice) {
    const copied = nameOf(
      of.copy === 'otherPatient' ? { ...visit, patient: otherPatientOf(visit.patient) } : visit,
      `${number}9`,
      of.copy === 'otherEye' ? otherEyeOf(of.eye) : of.eye,
    )
    const stemInFolder = copied.stem.slice(copied.stem.lastIndexOf('/') + 1)
    const path = `${folderOf(first.path)}${stemInFolder}${first.path.slice(-4)}`
    files.push({
      ...first,
      path,
      isSeenAgain: true,
      stated: [
        ...first.stated,
        ...(visit.layout === 'folderOnly' || visit.layout === 'letters' ? [] : [copied.stated]),
      ],
    })
  }
  if (own && of.exportedAgain !== 'none' && maySpeakTwice) {
    const again = nameOf(visit, `${number}8`, of.eye)
    const file = await dicom(`${again.stem}.dcm`, sopUid, saying(of.exportedAgain), 'again')
    files.push({ ...file, isSeenAgain: true, stated: [...file.stated, again.stated] })
  }
  return files
}

function dataFileOf(visit: Visit, index: number, files: readonly PlannedFile[]): CameraFile | null {
  const [first] = files
  if (visit.data === 'none' || first === undefined) return null
  const at = MORNING + (visit.minute + 9) * MINUTE
  const patient = idOf(visit.dataSays === 'otherPatient' ? otherPatientOf(visit.patient) : visit.patient)
  const eyes = files
    .filter((file) => !file.isSeenAgain)
    .map((file, nth) => [file.path, visit.dataSays === 'otherEyes' || nth % 2 === 0 ? 'OD' : 'OS'] as const)
  const fields = { history_number: patient, visit_date: DAYS[visit.day ?? 0], od_iop: 11 + index }
  const folder = folderOf(first.path)
  switch (visit.data) {
    case 'case': {
      const images = Object.fromEntries(eyes.map(([path, eye]) => [path.slice(folder.length), eye]))
      const content = { ...fields, ...(visit.dataSays === 'same' ? {} : { images }) }
      return { path: `${folder}case.json`, bytes: Buffer.from(JSON.stringify(content)), at }
    }
    case 'table': {
      const rows = eyes.map(([path, eye]) => [patient, DAYS[visit.day ?? 0], path, eye].join(';'))
      const text = ['history_number;visit_date;file;eye', ...rows, ''].join('\r\n')
      return { path: `table-${index}.csv`, bytes: Buffer.from(text), at }
    }
    case 'document': {
      const elements = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`)
      const text = `<?xml version="1.0"?><case>${elements.join('')}</case>`
      return { path: `${first.path.slice(0, -4)}.xml`, bytes: Buffer.from(text), at }
    }
  }
}

/** What the data file of a visit says of one of its files. */
function statedByData(visit: Visit, file: PlannedFile, own: readonly PlannedFile[]): Statement[] {
  const patient = idOf(visit.dataSays === 'otherPatient' ? otherPatientOf(visit.patient) : visit.patient)
  const named = own.filter(({ isSeenAgain }) => !isSeenAgain).indexOf(file)
  const eye = visit.dataSays === 'otherEyes' || named % 2 === 0 ? 'right' : 'left'
  switch (visit.data) {
    case 'none':
      return []
    case 'document':
      return stemOf(file.path) === stemOf(own[0]?.path ?? '') ? [{ patient, eye: null }] : []
    case 'table':
      return [{ patient, eye }]
    case 'case':
      // In the watched folder itself a case speaks of the files that it names.
      if (visit.dataSays === 'same') return file.path.includes('/') ? [{ patient, eye: null }] : []
      return [{ patient, eye }]
  }
}

function stemOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'))
}

/** The files of these visits, one for each path. */
export async function filesOf(planned: readonly Visit[]): Promise<readonly PlannedFile[]> {
  const files = new Map<string, PlannedFile>()
  for (const [index, visit] of planned.entries()) {
    const own: PlannedFile[] = []
    for (const [nth, of] of visit.shots.entries())
      own.push(...(await filesOfShot(visit, of, `${index + 1}${nth + 1}`)))
    const data = dataFileOf(visit, index, own)
    const isStated = data !== null && !files.has(data.path)
    for (const file of own) {
      if (files.has(file.path)) continue
      files.set(
        file.path,
        isStated ? { ...file, stated: [...file.stated, ...statedByData(visit, file, own)] } : file,
      )
    }
    if (isStated) files.set(data.path, { ...data, picture: null, stated: [], isSeenAgain: false })
  }
  return [...files.values()]
}
