/** Writes one visit of one synthetic patient into a folder, laid out and paced as cameras do it. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { drawFundus, type ImageFormat } from './draw-fundus.ts'
import { syntheticPatient, type SyntheticPatient } from './synthetic-patient.ts'
import { writeAsCamera, type Pace } from './write-as-camera.ts'

/**
 * - `folderPerVisit`: `H-00017_20261120/H-00017_20261120_OD_1.jpg`;
 * - `nested`: `H-00017/20261120/OD_1.jpg`;
 * - `flat`: `H-00017_20261120_OD_1.jpg`, with no place for a sidecar and no names but these.
 */
export type Layout = 'folderPerVisit' | 'nested' | 'flat'

export type VisitOptions = {
  /** The watched folder. */
  readonly folder: string
  /** Decides the patient and the pictures. */
  readonly seed: number
  /** `YYYY-MM-DD`. */
  readonly visitDate: string
  readonly layout?: Layout
  readonly format?: ImageFormat
  readonly width?: number
  readonly height?: number
  /** How many photographs of each eye, taken turn by turn; macula and disc in the middle by turns. */
  readonly imagesPerEye?: number
  readonly eyes?: readonly ('right' | 'left')[]
  /** `counter` is `IMG_0001.jpg`, a name without the eye. */
  readonly names?: 'eye' | 'counter'
  /** Whether a `case.json` is written, and when. It states the eye of every image. */
  readonly sidecar?: 'none' | 'first' | 'last'
  readonly pace?: Pace
}

type ExportedImage = {
  /** Below the watched folder, with forward slashes. */
  readonly path: string
  readonly eye: 'right' | 'left'
  readonly sizeBytes: number
  readonly sha256: string
}

export type ExportedVisit = {
  readonly patient: SyntheticPatient
  readonly visitDate: string
  /** In the order in which they were taken. */
  readonly images: readonly ExportedImage[]
  /** Below the watched folder; null where none was written. */
  readonly sidecarPath: string | null
}

const EYE_NAMES = { right: 'OD', left: 'OS' } as const
const EXTENSIONS = { jpeg: 'jpg', png: 'png', tiff: 'tif', bmp: 'bmp' } as const

export async function exportVisit(options: VisitOptions): Promise<ExportedVisit> {
  const { folder, seed, visitDate, layout = 'folderPerVisit', sidecar = 'none', pace = 'at once' } = options
  if (layout === 'flat' && (sidecar !== 'none' || options.names === 'counter'))
    throw new Error('A flat export tells patients apart by file names and has no place for a sidecar.')
  const patient = syntheticPatient(seed)
  const place = placeOf(layout, patient.history_number, visitDate)
  const drawn = await drawImages(options, place)
  const sidecarPath = sidecar === 'none' ? null : `${place.folder}case.json`
  const writeSidecar = async (): Promise<void> => {
    if (sidecarPath !== null)
      await writeAsCamera(join(folder, sidecarPath), sidecarBytes(options, patient, drawn), pace)
  }

  if (sidecar === 'first') await writeSidecar()
  const writeImage = ({ path, bytes }: DrawnImage): Promise<void> =>
    writeAsCamera(join(folder, path), bytes, pace)
  // One after the other, a stall of a busy machine between two would look like a camera that has finished.
  if (pace === 'at once') await Promise.all(drawn.map(writeImage))
  else for (const image of drawn) await writeImage(image)
  if (sidecar === 'last') await writeSidecar()

  const images = drawn.map(({ path, eye, bytes }) => ({
    path,
    eye,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
  return { patient, visitDate, images, sidecarPath }
}

type DrawnImage = { readonly path: string; readonly eye: 'right' | 'left'; readonly bytes: Buffer }

async function drawImages(options: VisitOptions, place: Place): Promise<readonly DrawnImage[]> {
  const { seed, width, height, format = 'jpeg', imagesPerEye = 2, eyes = ['right', 'left'] } = options
  const drawn: DrawnImage[] = []
  for (let shot = 0; shot < imagesPerEye; shot += 1)
    for (const eye of eyes) {
      const name =
        options.names === 'counter'
          ? `IMG_${String(drawn.length + 1).padStart(4, '0')}`
          : `${place.prefix}${EYE_NAMES[eye]}_${shot + 1}`
      const field = shot % 2 === 0 ? 'macula' : 'disc'
      const size = { ...(width ? { width } : {}), ...(height ? { height } : {}) }
      const bytes = await drawFundus({ eye, seed, shot: Math.floor(shot / 2), field, format, ...size })
      drawn.push({ path: `${place.folder}${name}.${EXTENSIONS[format]}`, eye, bytes })
    }
  return drawn
}

/** The folders of a visit, and what stands in front of the eye in an image's name. */
type Place = { readonly folder: string; readonly prefix: string }

function placeOf(layout: Layout, historyNumber: string, visitDate: string): Place {
  const day = visitDate.replaceAll('-', '')
  const visit = `${historyNumber}_${day}`
  switch (layout) {
    case 'folderPerVisit':
      return { folder: `${visit}/`, prefix: `${visit}_` }
    case 'nested':
      return { folder: `${historyNumber}/${day}/`, prefix: '' }
    case 'flat':
      return { folder: '', prefix: `${visit}_` }
  }
}

function sidecarBytes(
  options: VisitOptions,
  patient: SyntheticPatient,
  drawn: readonly DrawnImage[],
): Uint8Array {
  const eyes = Object.fromEntries(
    drawn.map(({ path, eye }) => [path.slice(path.lastIndexOf('/') + 1), EYE_NAMES[eye]]),
  )
  const content = { ...patient, visit_date: options.visitDate, images: eyes }
  return Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
}
