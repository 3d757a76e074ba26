/** Writes one visit of one synthetic patient into a folder, in the layout and at the pace of cameras. */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { drawFundus, type ImageFormat } from './draw-fundus.ts'
import { between, pick, type Random, randomFrom } from './random.ts'
import { type Pace, writeAsCamera } from './write-as-camera.ts'

// No person has such a name; accents and an apostrophe are there because real names have them.
const FIRST_NAMES = [
  ['Synthia', 'Testina', 'Fictoria', 'Mockéline', 'Demodora', 'Placeba'],
  ['Testopher', 'Mockbert', 'Fictor', 'Samplón', 'Dummund', 'Placebo'],
] as const
const LAST_NAMES = [
  'Testcase',
  "O'Mocksey",
  'Sampleton',
  'Nobodyová',
  'Demoson',
  'van Fiktief',
  'Trialgado',
] as const
const REASONS = ['Diabetes screening', 'Yearly check', 'Blurred vision', 'Control after new glasses'] as const
const ANTECEDENTS = ['None', 'Cataract surgery 2019', 'Dry eye', 'Mother with glaucoma'] as const
const REMARKS = ['', 'Small pupils', 'HbA1c 7.2 %', 'Synthetic patient'] as const

/** An obviously invented patient with plausible measurements; the same seed is the same patient. */
export function syntheticPatient(seed: number) {
  const random = randomFrom(seed * 31 + 5)
  const gender = random() < 0.5 ? 0 : 1
  const age = Math.round(between(random, 19, 86))
  const sphere = between(random, -4, 3)
  return {
    history_number: `H-${String(seed).padStart(5, '0')}`,
    first_name: pick(random, gender === 1 ? FIRST_NAMES[0] : FIRST_NAMES[1]),
    last_name: pick(random, LAST_NAMES),
    gender,
    age,
    diabetes: random() < 0.6 ? 1 : 0,
    visit_reason: pick(random, REASONS),
    ophthalmic_antecedents: pick(random, ANTECEDENTS),
    other_relevant_info: pick(random, REMARKS),
    od_iop: inSteps(random, 10, 21, 0.5),
    os_iop: inSteps(random, 10, 21, 0.5),
    od_va: inSteps(random, 0.4, 1.2, 0.1),
    os_va: inSteps(random, 0.4, 1.2, 0.1),
    od_sphere: rounded(sphere, 0.25),
    os_sphere: rounded(sphere + between(random, -0.6, 0.6), 0.25),
    od_cylinder: inSteps(random, -2, 0, 0.25),
    os_cylinder: inSteps(random, -2, 0, 0.25),
    od_axis: inSteps(random, 0, 180, 5),
    os_axis: inSteps(random, 0, 180, 5),
    ...(age > 45 && { od_add: 2, os_add: 2 }),
  } as const
}

function inSteps(random: Random, low: number, high: number, step: number): number {
  return rounded(between(random, low, high), step)
}

/** To the step, without the tail of binary fractions and without a negative zero. */
function rounded(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(2)) + 0
}

/**
 * - `folderPerVisit`: `H-00017_20261120/H-00017_20261120_OD_1.jpg`;
 * - `nested`: `H-00017/20261120/OD_1.jpg`;
 * - `flat`: `H-00017_20261120_OD_1.jpg`, with no place for a sidecar and no names but these.
 */
export type Layout = 'folderPerVisit' | 'nested' | 'flat'

type VisitOptions = {
  readonly folder: string
  readonly seed: number
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

export type ExportedVisit = Awaited<ReturnType<typeof exportVisit>>

const EYE_NAMES = { right: 'OD', left: 'OS' } as const
const EXTENSIONS = { jpeg: 'jpg', png: 'png', tiff: 'tif', bmp: 'bmp' } as const

/** Paths are below the watched folder, with forward slashes; images are in the order in which they were taken. */
export async function exportVisit(options: VisitOptions) {
  const { folder, seed, visitDate, layout = 'folderPerVisit', sidecar = 'none', pace = 'at once' } = options
  if (layout === 'flat' && (sidecar !== 'none' || options.names === 'counter'))
    throw new Error('A flat export distinguishes patients by file names and has no place for a sidecar.')
  const patient = syntheticPatient(seed)
  const paths = pathsOf(layout, patient.history_number, visitDate)
  const drawn = await drawImages(options, paths)
  const sidecarPath = sidecar === 'none' ? null : `${paths.folder}case.json`
  const writeSidecar = async (): Promise<void> => {
    if (sidecarPath === null) return
    const eyes = drawn.map(({ path, eye }) => [basename(path), EYE_NAMES[eye]] as const)
    const content = { ...patient, visit_date: visitDate, images: Object.fromEntries(eyes) }
    await writeAsCamera(join(folder, sidecarPath), Buffer.from(`${JSON.stringify(content, null, 2)}\n`), pace)
  }

  if (sidecar === 'first') await writeSidecar()
  const writeImage = ({ path, bytes }: DrawnImage): Promise<void> =>
    writeAsCamera(join(folder, path), bytes, pace)
  // One after the other, a stall of a busy machine between two would look like a camera that has finished.
  if (pace === 'at once') await Promise.all(drawn.map(writeImage))
  else for (const image of drawn) await writeImage(image)
  if (sidecar === 'last') await writeSidecar()

  const images = drawn.map(({ path, eye, bytes }) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { path, eye, sizeBytes: bytes.length, sha256 }
  })
  return { patient, visitDate, images, sidecarPath }
}

type DrawnImage = { readonly path: string; readonly eye: 'right' | 'left'; readonly bytes: Buffer }

async function drawImages(
  options: VisitOptions,
  paths: ReturnType<typeof pathsOf>,
): Promise<readonly DrawnImage[]> {
  const { seed, width, height, format = 'jpeg', imagesPerEye = 2, eyes = ['right', 'left'] } = options
  const drawn: DrawnImage[] = []
  for (let shot = 0; shot < imagesPerEye; shot += 1)
    for (const eye of eyes) {
      const counter = `IMG_${String(drawn.length + 1).padStart(4, '0')}`
      const name = options.names === 'counter' ? counter : `${paths.prefix}${EYE_NAMES[eye]}_${shot + 1}`
      const field = shot % 2 === 0 ? 'macula' : 'disc'
      const size = { ...(width && { width }), ...(height && { height }) }
      const bytes = await drawFundus({ eye, seed, shot: Math.floor(shot / 2), field, format, ...size })
      drawn.push({ path: `${paths.folder}${name}.${EXTENSIONS[format]}`, eye, bytes })
    }
  return drawn
}

/** The folders of a visit, and what precedes the eye in an image's name. */
function pathsOf(layout: Layout, historyNumber: string, visitDate: string) {
  const day = visitDate.replaceAll('-', '')
  const visit = `${historyNumber}_${day}`
  const paths = {
    folderPerVisit: { folder: `${visit}/`, prefix: `${visit}_` },
    nested: { folder: `${historyNumber}/${day}/`, prefix: '' },
    flat: { folder: '', prefix: `${visit}_` },
  }
  return paths[layout]
}
