import type { Eye } from '../../../../src-shared/eye.ts'
import { readCode, readItems } from './read-value.ts'
import type { FactsSource, Rejection } from './stated-facts.ts'
import type { DataSet } from './walk-data-set.ts'

type StatedEye = Exclude<Eye, 'unknown'>

export type DicomEye = { readonly eye: StatedEye | null; readonly rejected: readonly Rejection[] }

const LATERALITY = 0x00200060
const IMAGE_LATERALITY = 0x00200062
const SHARED_GROUPS = 0x52009229
const FRAME_GROUPS = 0x52009230
const FRAME_ANATOMY = 0x00209071
const FRAME_LATERALITY = 0x00209072

const RIGHT = ['R', 'RIGHT', 'OD', 'RE']
const LEFT = ['L', 'LEFT', 'OS', 'LE']
/** Both, and what is no half of a pair: nothing is stated of one eye. */
const NEITHER = ['', 'B', 'BOTH', 'OU', 'U']

const CONFLICT =
  'The DICOM file names the right eye in one place and the left eye in another, so neither was taken. Look at the image and choose the eye by hand.'
const UNKNOWN_TERM =
  'The eye in the DICOM file is none of R, L and B, so it was not taken. Look at the image and choose the eye by hand.'

/**
 * The eye of a file: Image Laterality (0020,0062), Laterality of its series (0020,0060), and Frame Laterality
 * (0020,9072) of images with several frames (PS3.3 C.8.17.5, C.7.3.1, C.7.6.16.2.8). All that speak of one eye must agree.
 */
export async function readEye(source: FactsSource): Promise<DicomEye> {
  const words = [
    await readTerm(source, source.dataSet, IMAGE_LATERALITY),
    await readTerm(source, source.dataSet, LATERALITY),
    ...(await readFrameTerms(source)),
  ]
  const eyes = new Set(words.flatMap(eyeOf))
  const [eye = null] = eyes
  if (eyes.size > 1) return { eye: null, rejected: [{ field: 'eye', message: CONFLICT }] }
  const isStrange = words.some((word) => !NEITHER.includes(word) && eyeOf(word).length === 0)
  if (isStrange) return { eye: null, rejected: [{ field: 'eye', message: UNKNOWN_TERM }] }
  return { eye, rejected: [] }
}

async function readTerm({ window }: FactsSource, dataSet: DataSet, tag: number): Promise<string> {
  return ((await readCode(window, dataSet, tag)) ?? '').toUpperCase()
}

function eyeOf(word: string): readonly StatedEye[] {
  if (RIGHT.includes(word)) return ['right']
  return LEFT.includes(word) ? ['left'] : []
}

async function readFrameTerms(source: FactsSource): Promise<readonly string[]> {
  const words: string[] = []
  for (const groups of [SHARED_GROUPS, FRAME_GROUPS]) {
    for (const group of await readItems(source.window, source.dataSet, groups)) {
      for (const anatomy of await readItems(source.window, group, FRAME_ANATOMY)) {
        words.push(await readTerm(source, anatomy, FRAME_LATERALITY))
      }
    }
  }
  return words
}
