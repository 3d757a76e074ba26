/** What single words mean, and the one reader of words and letters for the two eyes. A lookup takes a folded word. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'

/** A word for comparison: without case and accents, so that `Izquierdo` and `IZQUIERDÓ` are one. */
export function foldTerm(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll(/[đð]/g, 'd')
    .replaceAll('þ', 'th')
    .replaceAll('æ', 'ae')
}

/** The words of a list; of an empty one, none. */
export function terms(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean))
}

function oneOf(text: string): (folded: string) => boolean {
  const known = terms(text)
  return (folded) => known.has(folded)
}

function like(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text)
}

/** The words of a language in front of, or behind, the word for the side: `ojo derecho`, `rechtes Auge`, `right eye`. */
export const isEyeNoun = oneOf('eye eyes ojo ojos auge oeil yeux olho olhos occhio occhi oculus oculo')

/** Where in the picture, not which eye: `upper_left`, `nasal`. */
export const isPosition = oneOf(`
  upper lower top bottom superior inferior temporal nasal sup inf temp nas corner quadrant gaze looking side half up down
  superotemporal inferotemporal superonasal inferonasal oben unten haut bas arriba abajo
`)

/** Sides of one eye, which are no corner of a picture: `right nasal` is a view of the right eye. */
export const isNasalOrTemporal = oneOf('nasal temporal nas temp')

/** Part of a picture: `left field` is a direction of the camera. */
export const isFieldTerm = oneOf('field fields feld felder campo campos champ champs')

/** Two views of one eye for seeing depth. */
export const isStereo = like(/^(e?stereo\p{L}*|3d(pairs?|images?|views?)?|pairs?)$/u)

/** A word for a side beside them is denied: `no OS possible`, `kein rechts`. */
export const isNegation = oneOf(
  'no not non none never kein keine nicht ohne sin sans pas nao sem senza without',
)

/** Folders of a whole archive: a word for a side in their name is of a program or a disk (OS_Backup). */
export const isArchive = oneOf(`
  export exports exported exportados exportiert backup backups data daten datos dados donnees dati archive archives archiv
  archivio upload uploads transfer disk drive system update install
`)

/** Places: a word for a side beside them is part of their name (Left Bank Clinic, Klinikum rechts der Isar). */
export const isSite = oneOf(`
  room sala raum zimmer salle stanza consulta consultorio box lane bay wing floor ward station etage stock piso planta
  clinic clinica clinique klinik klinikum hospital hopital krankenhaus ospedale center centre centro zentrum bank
  department dept servicio abteilung praxis office site branch unit street road isar
`)

/** Titles and degrees: an OD beside them is a Doctor of Optometry. */
export const isTitle = oneOf('dr doc doctor dra prof md phd mr mrs ms sr sra herr frau optom optometrist do')

/** Particles of surnames: the next word is a name, whatever else it could mean. */
export const isParticle = oneOf(
  'van von der den de del della da di dos das du la el al ter ten bin ibn mac mc st san',
)

/** What was photographed, how, and in which form. */
export const isImagingTerm = oneOf(`
  retina retinal retinography retinografia fundus fundusphoto fop fondo color colour col couleur farbe cor colore rgb cfp
  redfree red free green blue ir infrared infrarot af faf fa ffa icg angio visible mono bw macula macular disc disk disco
  optic optico nerve nervio papila papilla fovea foveal posterior anterior pole polo segment external central centre center
  centered centred superior inferior periphery peripheral mosaic montage panorama panoramic wide widefield ultrawide field
  view capture captura snapshot still primary frame final raw orig original copy copia kopie copie ou ao both ambos am pm
  jpeg jpg png tif tiff bmp dcm report reports informe informes oct slo mydriatic nonmyd undilated dilated hd hires lowres
  retake repeat ok good poor quality img1 oculus vorderabschnitt hinterabschnitt netzhaut aufnahme
  fov deg degree degrees grad grados mm um px mpx dpi
`)

/** Words that count something other than patients: the number beside them is no patient number. */
export const isCountingTerm = oneOf(`
  im img image images imagen imagenes imagem bild bilder foto fotos photo photos pic pics pict picture pictures dsc dscn dscf
  dscp mg mvi cimg imag sam gopr hpim visit visita visite besuch exam examen examination session study estudio studie
  series serie folder carpeta batch lote backup set group grupo test sample demo day dia tag week month no nr num number
  page scan shot take version v ver rev file archivo new nuevo temp wa pxl vid screenshot eye fields f view acc accession
  acq encounter order device sn serial machine camera camara kamera room sala raum zimmer ward lane bay site unit station
`)

/** Words in front of a patient number. */
export const isIdLabel = oneOf(`
  id pid patid patient paciente patientid mrn hn nhc hc hist historia historial pat pt urn nhs chi upi subject subj case
  caso record dossier akte patientennummer
`)

/** What pictures and people are measured in, as a part of a pattern. */
export const UNIT =
  '(?:°|º|%|deg(?:rees?)?|grad(?:os|i)?|[µμu]m|[mcn]m|px|pixels?|m?px?|dpi|[kmg]b|k?hz|fps|ms|sec|min|kg|yrs?|years?|mmhg|dpt)'

/** 45deg, 50°, 200um, 3072x2048, 12.5mm, 70 kg: a measure of a picture or a person, never a number of a person. */
export const isMeasure = like(
  new RegExp(
    String.raw`^\d{1,5}(?:[.,]\d{1,3})?[ _-]?${UNIT}$|^\d{2,5}[ _-]?[x×][ _-]?\d{2,5}(?:[a-zµμ]{0,2}|px)$`,
    'iu',
  ),
)

/** Storage of cameras and programs: such a folder says nothing about a patient. */
export const isStorageTerm = oneOf(`
  dcim dicom misc export exports exported exportados backup images image imagenes pictures photos fotos photo files archivos
  data datos output retcamoutput outbox upload uploads camera camara kamera inbox incoming eingang entrada current today hoy
  heute shared share public temp tmp new nuevo import imports transfer scans patients pacientes patienten all archive archivo
`)

/** Folders through which files pass, or in which programs have them. Only a folder called so is one: `left out` is a remark. */
export const isTray = oneOf(`
  out outgoing ausgang salida salidas saida sortie uscita eingang entree entrata sent send sending gesendet enviado enviados
  envoye envoyes inviati ready listo done finished processed erledigt hecho termine pending
  waiting pendiente pendientes pendente attente object objects blob blobs storage media content items cache bilder
`)

/** Makers and models of retinal cameras and their programs. */
export const isDevice = like(
  /^(topcon|canon|nidek|kowa|zeiss|optomed|optos|remidio|phelcom|volk|pictor\w*|forus|centervue|icare|heidelberg|spectralis|trcnw\d*[a-z]*|nw\d{1,3}[a-z]*|cr\d[a-z]*|cx\d|afc\d{3}|visucam\d*|clarus\d*|vx\d{1,2}|drs(plus)?|eidon|maestro\d?|triton|3nethra\w*|aurora|visuscout\d*|dri|imagenet\d*|retcam\d*|eyer\d*|navis|forum|ricoh|nonmyd\d*)$/,
)

/** No identity: what people and programs write if they have none, in six languages. */
export const isPlaceholderTerm = oneOf(`
  unknown unk anonymous anonym anonymous1 anon na none null nil test testpatient temp tmp patient paciente patiente pazienti
  paziente unbekannt inconnu desconocido desconocida desconhecido sconosciuto anonimo anonyme anonima nn noname noid
  default dummy demo sample example xxx xxxx blank empty new nuevo neu nouveau novo nuovo emergency notfall urgencia x
  johndoe janedoe doe undefined notavailable ninguno keine aucun nenhum nessuno phantom calibration
`)

/** True for a word that means a missing identity. */
export function isPlaceholderText(folded: string): boolean {
  return isPlaceholderTerm(folded) && !isGeneralTerm(folded)
}

/** A number of a device, or a ward: letters that name one, and a few digits. */
export const isSiteNumber = like(
  /^(ward|room|sala|bed|cama|opd|ipd|lab|van|unit|sn|cam|camera|device|box|lane|bay|clinic|clinica|hosp|hospital|emerg|emergency|icu|er|or|site|station|raum|zimmer)\d{1,8}$/,
)

/** True for words that say nothing about a person: of imaging, storage, counting, places, titles, devices. */
export function isGeneralTerm(folded: string): boolean {
  return (
    isImagingTerm(folded) ||
    isCountingTerm(folded) ||
    isStorageTerm(folded) ||
    isIdLabel(folded) ||
    isPosition(folded) ||
    isStereo(folded) ||
    isEyeNoun(folded) ||
    isSite(folded) ||
    isTitle(folded) ||
    isDevice(folded)
  )
}

/**
 * An eye as a word states it.
 *
 * `family` names the pair that it belongs to: `re` is opposite `le`, never opposite `gauche`. `firm` words mean
 * nothing else in a file name; `ambiguous` ones are also names of people, places or codes and need their counterpart.
 */
export type EyeTerm = {
  readonly eye: StatedEye
  readonly family: string
  readonly strength: 'firm' | 'ambiguous'
}

/** Each row: the family, its words for the right eye, those for the left eye, and their strength. */
const EYE_FAMILIES: readonly (readonly [string, string, string, EyeTerm['strength']])[] = [
  ['latin', 'od', 'os', 'firm'],
  ['latin', 'dexter dextra dextrum dextro oculusdexter', 'sinister sinistrum oculussinister', 'firm'],
  ['latin', 'destro destra', 'sinistro sinistra', 'ambiguous'],
  ['english', 'right righteye rteye', 'left lefteye lteye', 'firm'],
  ['english', 'rt rgt', 'lt lft', 'ambiguous'],
  ['german', 'rechts rechtesauge rechterauge rechtsauge', 'links linkesauge linkerauge linksauge', 'firm'],
  ['german', 'rechte rechtes rechter', 'linke linkes linker', 'ambiguous'],
  ['spanish', 'ojoderecho', 'ojoizquierdo', 'firm'],
  ['spanish', 'derecho derecha dcho dcha der', 'izquierdo izquierda izdo izda izq', 'ambiguous'],
  ['french', 'oeildroit', 'oeilgauche', 'firm'],
  ['french', 'droit droite', 'gauche gche', 'ambiguous'],
  ['portuguese', 'olhodireito', 'olhoesquerdo', 'firm'],
  ['portuguese', 'direito direita dir', 'esquerdo esquerda esq', 'ambiguous'],
  ['italian', 'occhiodestro', 'occhiosinistro', 'firm'],
  ['italian', 'dx', 'sx', 'ambiguous'],
  ['italian', 'odx', 'osx', 'firm'],
  ['re', 're', 'le', 'ambiguous'],
  ['ra', 'ra', 'la', 'ambiguous'],
]

/** The left eye in Spanish and Italian (OI, OS), Portuguese (OE) and French (OG); the right one is OD in all. */
const LEFT_OF_OD = terms('oi oe og')

const EYE_TERMS: ReadonlyMap<string, EyeTerm> = new Map(
  EYE_FAMILIES.flatMap(([family, right, left, strength]) => [
    ...[...terms(right)].map((term): [string, EyeTerm] => [term, { eye: 'right', family, strength }]),
    ...[...terms(left)].map((term): [string, EyeTerm] => [term, { eye: 'left', family, strength }]),
  ]),
)

/** The eye that a folded word states; null for every other word. OI, OE and OG stand opposite OD. */
export function eyeTermOf(folded: string): EyeTerm | null {
  if (LEFT_OF_OD.has(folded)) return { eye: 'left', family: 'latin', strength: 'ambiguous' }
  return EYE_TERMS.get(folded) ?? null
}

/** The eye that a whole word states as the value of an eye, with one or two digits behind it or none (OD1). */
export function eyeStatedBy(text: string): StatedEye | null {
  const folded = foldTerm(text).replace(/\d{1,2}$/, '')
  return isParticle(folded) ? null : (eyeTermOf(folded)?.eye ?? null)
}

/** The eye of a single R or L (also r1, l2) as the value of an eye; null for all other words. Never D or I. */
export function eyeOfLetter(text: string): StatedEye | null {
  const letter = /^([rl])\d{0,2}$/i.exec(text)?.[1]?.toLowerCase()
  return letter === undefined ? null : letter === 'r' ? 'right' : 'left'
}

/** The eye that a term of a heading or a value states (OD, OI, R, left, derecho); null for all others. */
export function eyeOfTerm(term: string): StatedEye | null {
  return /\d/.test(term) ? null : (eyeOfLetter(term) ?? eyeStatedBy(term))
}

/** `none`: nothing is stated. `unclear`: two eyes, or what is none. */
export type EyeReading = StatedEye | 'both' | 'unclear' | 'none'

const BOTH = terms('ou ao both b ambos ambas beide bilateral entrambi deux')

const NOTHING = terms('unknown unk xx na none null nan u n/a')

/**
 * The eye that a value states: a word or letter for it, once or several times (`OD (right)`, `R/OD`), with the word for an
 * eye beside it (`ojo derecho`), with dots (`O.D.`). Whatever else the value holds makes it unclear.
 */
export function readEye(value: unknown): EyeReading {
  if (value === null || value === undefined) return 'none'
  if (typeof value !== 'string') return 'unclear'
  const folded = foldTerm(value.normalize('NFKC')).trim()
  if (NOTHING.has(folded)) return 'none'
  const stated = folded
    .replaceAll(/\b(o|r|l)\.\s?([dsiegua])\b\.?/g, '$1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((term) => term !== '' && !isEyeNoun(term))
  // Alone under the heading of an eye, a particle of names is none: DER beside IZQ, LA beside RA.
  const [, another] = stated
  const term = (one: string) => eyeOfTerm(one) ?? (another === undefined ? eyeTermOf(one)?.eye : null)
  const found = new Set(stated.map((one) => (BOTH.has(one) ? 'both' : (term(one) ?? 'unclear'))))
  const [eye, ...others] = found
  if (eye === undefined) return /[\p{L}\p{N}]/u.test(folded) ? 'unclear' : 'none'
  return others.length > 0 ? 'unclear' : eye
}
