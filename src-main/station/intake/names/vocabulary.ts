/** Words in export names that are neither a person's name nor an id. All in lower case. */
import type { Eye } from '../../../../src-shared/measurement-ranges.ts'

type StatedEye = Exclude<Eye, 'unknown'>

function terms(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/**
 * Terms that state an eye. `firm` ones mean nothing else in a file name. `surname` ones are also names of people (Le,
 * Re, Izquierdo, Droit), so they count only if no neighbour looks like a name. OI is the Spanish OS.
 */
const EYE_TERMS: readonly {
  readonly eye: StatedEye
  readonly isSurname: boolean
  readonly spellings: ReadonlySet<string>
}[] = [
  { eye: 'right', isSurname: false, spellings: terms('od right righteye righteyes dextra dextro dextrum') },
  {
    eye: 'left',
    isSurname: false,
    spellings: terms('os oi left lefteye lefteyes sinistra sinistro sinistrum'),
  },
  {
    eye: 'right',
    isSurname: true,
    spellings: terms('re derecho derecha direito direita destro destra droit droite'),
  },
  { eye: 'left', isSurname: true, spellings: terms('le izquierdo izquierda esquerdo esquerda gauche') },
]

export type EyeTerm = { readonly eye: StatedEye; readonly isSurname: boolean }

/** The eye that a whole word states, optionally followed by one or two digits (OD1); null for all other words. */
export function eyeTermOf(word: string): EyeTerm | null {
  const bare = word.toLowerCase().replace(/\d{1,2}$/, '')
  const found = EYE_TERMS.find(({ spellings }) => spellings.has(bare))
  return found ? { eye: found.eye, isSurname: found.isSurname } : null
}

/** The eye that a single R or L would state (also r1, l2); null for all other words. Never D or I. */
export function eyeLetterOf(word: string): StatedEye | null {
  const letter = /^([rl])\d{0,2}$/i.exec(word)?.[1]?.toLowerCase()
  if (letter === undefined) return null
  return letter === 'r' ? 'right' : 'left'
}

/** Imaging terms: what was photographed, how, with which device. */
const IMAGING_TERMS = terms(`
  retina retinal retinography retinografia retinografía fundus fundusphoto fop fondo ojo ojos eye eyes olho olhos oeil oculus
  color colour col rgb cfp redfree red free green blue ir infrared af faf fa ffa icg angio visible mono bw
  macula macular mácula disc disk disco optic optico óptico nerve nervio papila papilla fovea posterior anterior pole polo segment
  central centre centered centred nasal temporal superior inferior upper lower periphery peripheral mosaic montage panorama panoramic
  wide widefield stereo field view capture captura snapshot still primary frame final raw orig original copy copia
  ou ao both ambos am pm jpeg jpg png tif tiff report reports informe informes oct slo mydriatic nonmyd undilated dilated
`)

/** Terms that count something other than patients: a number after them is not an id. */
const COUNTING_TERMS = terms(`
  img image images imagen imagenes imágenes dsc dscn dscf dscp mg mvi pic pics pict picture pictures photo photos foto fotos
  cimg imag sam gopr hpim case caso visit visita exam examen session study estudio series serie folder carpeta batch lote
  export exports exported backup set group grupo test sample demo center centre centro clinic clinica clínica room sala site
  camera camara cámara device day dia día week month no nr num page scan file archivo new nuevo temp wa pxl vid screenshot
`)

/** Storage locations of cameras and programs, unrelated to a patient. */
const STORAGE_TERMS = terms(`
  dcim dicom misc export exports exported backup images image imagenes imágenes pictures photos fotos photo files archivos
  data datos output retcamoutput fop outbox upload uploads camera camara cámara
`)

/** Particles of surnames: the next word is a name, whatever else it could mean. */
const NAME_PARTICLES = terms('van von der den de del della da di dos das du la el al ter ten bin ibn')

/** Camera models; their numbers are not ids. */
const CAMERA_MODEL =
  /^(trc-?nw\d*[a-z]*|nw\d{1,3}[a-z]*|cr-?\d[a-z]*|cx-?\d|afc-?\d{3}|visucam-?\d*|clarus-?\d*|vx-?\d{1,2}|drs(plus)?|eidon|maestro-?\d?|triton|3nethra\w*|aurora|visuscout-?\d*|dri|imagenet-?\d*|retcam\d*)$/i

export function isCameraModel(text: string): boolean {
  return CAMERA_MODEL.test(text)
}

export function isImagingTerm(word: string): boolean {
  return IMAGING_TERMS.has(word.toLowerCase())
}

export function isCountingTerm(word: string): boolean {
  return COUNTING_TERMS.has(word.toLowerCase())
}

export function isStorageTerm(word: string): boolean {
  return STORAGE_TERMS.has(word.toLowerCase())
}

export function isNameParticle(word: string): boolean {
  return NAME_PARTICLES.has(word.toLowerCase())
}
