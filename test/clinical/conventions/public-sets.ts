/** How published sets of fundus images name their files, each with its public source; the numbers are drawn. */
import { eachShot, type Convention, type Folder, type Style, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { ageOn } from '../faults.ts'
import type { Facts, Shot, Visit } from '../world.ts'

/** What a reader knows from these names: a set states no visit days. */
const NUMBER_AND_EYE: Facts = { who: 'read', day: 'weak', eye: 'read' }
const NUMBER_ONLY: Facts = { who: 'read', day: 'weak', eye: 'hidden' }
/**
 * Each image has a label of its own, and a set says of no two that they are of one person: the label is the only number
 * there is, and whether it is a patient's no reader knows.
 */
const LABEL_ONLY: Facts = { who: 'weak', day: 'weak', eye: 'hidden' }

type PathOf = (visit: Visit, shot: Shot, draw: Draw) => string

type SetOptions = {
  readonly facts: Facts
  readonly numbering: Style['numbering']
  readonly source: string
  readonly perEye?: readonly [number, number]
  /** What a reader knows of an eye without its counterpart. */
  readonly alone?: Facts['eye']
  /** Most sets know each image alone. */
  readonly oneEyed?: number
}

/** A set whose files have one of these paths, in folders as sets are unpacked. */
function published(name: string, paths: readonly PathOf[], options: SetOptions): Convention {
  const { facts, numbering, source, perEye = [1, 1], alone = facts.eye } = options
  const oneEyed = options.oneEyed ?? (facts.eye === 'hidden' ? 1 : 0.1)
  return trap(
    name,
    (draw) => {
      const path = draw.style(paths)
      const above = draw.style(['', 'images/', 'train/', 'data/images/'])
      return {
        facts,
        isEachOnce: true,
        perEye,
        oneEyed,
        ...(numbering !== undefined && { numbering }),
        write: eachShot((visit, shot, folder) => {
          folder.picture(visit, shot, above + path(visit, shot, folder.draw), {
            facts: { eye: visit.isOneEyed ? alone : facts.eye },
          })
        }),
      }
    },
    { source },
  )
}

/** Patient numbers of so many digits, or of a range. */
const counted =
  (width: number, prefix = ''): NonNullable<Style['numbering']> =>
  (draw) => ({ id: prefix + String(draw.int(1, 10 ** width - 1)).padStart(width, '0'), aliases: [] })

const short =
  (highest: number): NonNullable<Style['numbering']> =>
  (draw) => ({ id: String(draw.int(1, highest)), aliases: [] })

const eyeText = ({ eye }: Shot): string => eye
const letter = ({ eye }: Shot): string => (eye === 'right' ? 'R' : 'L')
const code = ({ eye }: Shot): string => (eye === 'right' ? 'OD' : 'OS')

const label =
  (width: number, before = '', after = ''): NonNullable<Style['numbering']> =>
  (draw) => {
    const number = String(draw.int(1, Math.min(10 ** width - 1, 9_000))).padStart(width, '0')
    return { id: before + number + after, aliases: [number] }
  }

/** A number for the whole set, whatever its files show. */
const unstated: NonNullable<Style['numbering']> = (draw) => ({ id: draw.digits(7), aliases: [] })

/** A counter of the whole set. */
const ofSet = (visit: Visit, shot: Shot): number => visit.index * 7 + shot.number

const labels = (folder: Folder, path: string, header: string, rows: readonly string[], atMs: number): void =>
  folder.data(path, `${header}\n${rows.join('\n')}\n`, atMs)

/** BRSET: `img00001.jpg`, and a table with patient and eye (1 right, 2 left). */
const brset = trap(
  'BRSET with its table',
  (draw) => {
    const above = draw.style(['', 'fundus_photos/'])
    const extension = draw.style(['', '.jpg'])
    const columns = draw.style([
      'image_id,patient_id,patient_age,patient_sex,exam_eye',
      'image_id,patient_id,exam_eye',
    ])
    const rows: string[] = []
    return {
      // The numerals of the eye are explained in the set's documents only.
      facts: { who: 'weak', day: 'weak', eye: 'weak' },
      isEachOnce: true,
      perEye: [1, 1],
      numbering: short(9_999),
      write: (visit, folder) => {
        for (const shot of visit.shots) {
          const image = `img${String(ofSet(visit, shot)).padStart(5, '0')}`
          folder.picture(visit, shot, `${above}${image}.jpg`)
          const eye = shot.eye === 'right' ? 1 : 2
          const middle = columns.includes('age')
            ? `,${ageOn(visit.person, visit.day)},${visit.person.sex === 'F' ? 2 : 1}`
            : ''
          rows.push(`${image}${extension},${visit.person.id}${middle},${eye}`)
        }
        labels(folder, `${above}labels_brset.csv`, columns, rows, visit.shots.at(-1)!.atMs + 6_000)
      },
    }
  },
  { source: 'physionet.org/content/brazilian-ophthalmological, labels.csv (BRSET 1.0.1)' },
)

/** mBRSET: `12.3.jpg` is the third image of patient 12; a table states patient, file and laterality. */
const mbrset = trap(
  'mBRSET with its table',
  (draw) => {
    const above = draw.style(['', 'images/'])
    const file = draw.style(['labels_mbrset.csv', 'labels.csv'])
    const columns = draw.style(['patient,file,laterality', 'file,patient,laterality'])
    const rows: string[] = []
    return {
      facts: { who: 'proof', day: 'weak', eye: 'proof' },
      isEachOnce: true,
      perEye: [2, 2],
      numbering: short(1_291),
      write: (visit, folder) => {
        for (const shot of visit.shots) {
          const name = `${visit.person.id}.${shot.number}.jpg`
          folder.picture(visit, shot, above + name)
          const cells = { patient: visit.person.id, file: name, laterality: eyeText(shot) }
          rows.push(
            columns
              .split(',')
              .map((column) => cells[column as keyof typeof cells])
              .join(','),
          )
        }
        labels(folder, above + file, columns, rows, visit.shots.at(-1)!.atMs + 6_000)
      },
    }
  },
  { source: 'physionet.org/content/mbrset, labels_mbrset.csv' },
)

/** UK Biobank: the field is the eye, 21015 left and 21016 right; then instance and array index. */
const biobank = trap(
  'UK Biobank fields',
  (draw) => {
    const above = draw.style(['', '10/', 'Fundus/'])
    const instance = draw.style([0, 1])
    const extension = draw.style(['.png', '.PNG'])
    return {
      facts: { who: 'read', day: 'weak', eye: 'hidden' },
      isEachOnce: true,
      perEye: [1, 2],
      numbering: (draw) => ({ id: draw.digits(7), aliases: [] }),
      write: eachShot((visit, shot, folder) => {
        const field = shot.eye === 'right' ? 21_016 : 21_015
        folder.picture(
          visit,
          shot,
          `${above}${visit.person.id}_${field}_${instance}_${shot.ofEye - 1}${extension}`,
        )
      }),
    }
  },
  { source: 'biobank.ndph.ox.ac.uk, data-fields 21015 (left) and 21016 (right)' },
)

export const publicSets: readonly Convention[] = [
  published(
    'DeepDRiD',
    [
      ({ person }, shot) => `${person.id}/${person.id}_${letter(shot).toLowerCase()}${shot.ofEye}.jpg`,
      ({ person }, shot) => `${person.id}_${letter(shot).toLowerCase()}${shot.ofEye}.jpg`,
    ],
    {
      facts: NUMBER_AND_EYE,
      alone: 'alone',
      numbering: short(500),
      perEye: [2, 2],
      source: 'github.com/deepdrdoc/DeepDRiD, file list',
    },
  ),
  published(
    'EyePACS and ODIR',
    [
      ({ person }, shot) => `${person.id}_${eyeText(shot)}.jpeg`,
      ({ person }, shot) => `${person.id}_${eyeText(shot)}.jpg`,
    ],
    {
      facts: NUMBER_AND_EYE,
      numbering: short(44_351),
      source: 'kaggle.com/c/diabetic-retinopathy-detection; ODIR-5K file list',
    },
  ),
  published(
    'PAPILA',
    [
      ({ person }, shot) => `${person.id}${code(shot)}.jpg`,
      ({ person }, shot) => `FundusImages/${person.id}${code(shot)}.jpg`,
    ],
    {
      facts: { ...NUMBER_AND_EYE, who: 'weak' },
      numbering: counted(3, 'RET'),
      source: 'figshare.com/articles/dataset/PAPILA/14798004 (RET002OD.jpg)',
    },
  ),
  published(
    'CHASE_DB1',
    [
      ({ person }, shot) => `Image_${person.id}${letter(shot)}.jpg`,
      ({ person }, shot) => `CHASEDB1/Image_${person.id}${letter(shot)}.jpg`,
    ],
    {
      facts: { ...NUMBER_AND_EYE, who: 'weak' },
      alone: 'alone',
      numbering: counted(2),
      source: 'blogs.kingston.ac.uk/retinal/chasedb1 (Image_01L.jpg)',
    },
  ),
  published(
    'Messidor',
    [
      (visit) => `${visit.day.replaceAll('-', '')}_${visit.person.id}_0100_PP.tif`,
      (visit) => `Base11/${visit.day.replaceAll('-', '')}_${visit.person.id}_0100_PP.png`,
    ],
    {
      facts: { ...LABEL_ONLY, day: 'read' },
      numbering: (draw) => ({ id: draw.digits(5), aliases: [] }),
      source: 'adcis.net/en/third-party/messidor (20051019_38557_0100_PP.tif)',
    },
  ),
  published(
    'e-ophtha and OPHDIAT',
    [
      ({ person }, shot) => `${person.id}/DS000${'DGBXYZ'[shot.number % 6]}${shot.number}.JPG`,
      ({ person }, shot) => `${person.id}/IMG_${String(shot.number + 11).padStart(4, '0')}.JPG`,
    ],
    {
      facts: { who: 'read', day: 'weak', eye: 'hidden' },
      perEye: [1, 2],
      oneEyed: 0.1,
      numbering: label(7, 'E'),
      source: 'adcis.net/en/third-party/e-ophtha (E0000043/DS000DGS.JPG)',
    },
  ),
  published(
    'APTOS',
    [(_visit, _shot, draw) => `${draw.hex(12)}.png`, (_visit, _shot, draw) => `${draw.hex(12)}.jpg`],
    {
      facts: { ...LABEL_ONLY, who: 'hidden' },
      numbering: unstated,
      source: 'kaggle.com/c/aptos2019-blindness-detection (000c1434d8d7.png)',
    },
  ),
  published('RFMiD', [({ person }) => `${person.id}.png`, ({ person }) => `Training/${person.id}.png`], {
    facts: LABEL_ONLY,
    numbering: short(3_200),
    source: 'doi.org/10.3390/data6020014 (1.png)',
  }),
  published(
    'G1020 and FIVES',
    [({ person }) => `image_${person.id}.jpg`, ({ person }) => `${person.id}_A.png`],
    {
      facts: LABEL_ONLY,
      numbering: short(1_020),
      source: 'doi.org/10.1109/IJCNN48605.2020.9207664 (G1020); doi.org/10.1038/s41597-022-01564-3 (FIVES)',
    },
  ),
  published(
    'DRIVE',
    [({ person }) => `${person.id}_training.tif`, ({ person }) => `test/${person.id}_test.tif`],
    {
      facts: LABEL_ONLY,
      numbering: label(2),
      source: 'drive.grand-challenge.org (21_training.tif)',
    },
  ),
  published('STARE', [({ person }) => `${person.id}.tif`, ({ person }) => `stare-images/${person.id}.tif`], {
    facts: LABEL_ONLY,
    numbering: label(4, 'im'),
    source: 'cecas.clemson.edu/~ahoover/stare (im0001)',
  }),
  published('HRF', [({ person }) => `${person.id}_dr.JPG`, ({ person }) => `${person.id}_g.jpg`], {
    facts: LABEL_ONLY,
    numbering: label(2),
    source: 'www5.cs.fau.de/research/data/fundus-images (01_dr.JPG)',
  }),
  published(
    'IDRiD',
    [({ person }) => `${person.id}.jpg`, ({ person }) => `a. Training Set/${person.id}.jpg`],
    {
      facts: LABEL_ONLY,
      numbering: label(3, 'IDRiD_'),
      source: 'idrid.grand-challenge.org (IDRiD_001.jpg)',
    },
  ),
  published(
    'REFUGE and PALM',
    [({ person }) => `${person.id}.jpg`, ({ person }) => `Glaucoma/${person.id}.jpg`],
    {
      facts: LABEL_ONLY,
      numbering: (draw) => label(4, draw.pick(['g', 'n', 'H', 'N', 'P', 'T']))(draw),
      source: 'refuge.grand-challenge.org; palm.grand-challenge.org (g0001.jpg, H0001.jpg)',
    },
  ),
  published(
    'Drishti-GS and ACRIMA',
    [({ person }) => `drishtiGS_${person.id}.png`, ({ person }) => `Im${person.id}_g_ACRIMA.jpg`],
    {
      facts: LABEL_ONLY,
      numbering: label(3),
      source: 'cvit.iiit.ac.in/projects/mip/drishti-gs; figshare.com/s/c2d31f850af14c5b5232 (ACRIMA)',
    },
  ),
  published(
    'RIM-ONE stereo letters',
    [
      ({ person }, shot) => `${person.id}-${'LR'[shot.number % 2]}.jpg`,
      ({ person }, shot) => `Healthy/${person.id}-${'LR'[shot.number % 2]}.jpg`,
    ],
    {
      facts: LABEL_ONLY,
      perEye: [2, 2],
      numbering: (draw) => label(1 + draw.int(0, 1), draw.pick(['G-', 'N-', 'S-']))(draw),
      source: 'medimrg.webs.ull.es (RIM-ONE r3: left and right half of a stereo pair)',
    },
  ),
  published('AIROGS', [({ person }) => `${person.id}.JPG`, ({ person }) => `0/${person.id}.jpg`], {
    facts: LABEL_ONLY,
    numbering: label(6, 'TRAIN'),
    source: 'airogs.grand-challenge.org (TRAIN000000.jpg)',
  }),
  published(
    'infants with weights and ages in the name',
    [
      ({ person, index }, shot) =>
        `${person.id}_${person.sex}_GA${28 + index}_BW${1_205 + index * 113}_PA${38 + index}_DG${index % 4}_PF0_D1_S01_${shot.number}.jpg`,
      ({ person, index }, shot) =>
        `${person.id}/${person.id}_${person.sex}_GA${30 + index}_BW${1_990 + index}_PA41_DG11_PF0_D1_S0${1 + (index % 3)}_${shot.number}.jpg`,
    ],
    {
      facts: NUMBER_ONLY,
      numbering: counted(3),
      perEye: [2, 4],
      oneEyed: 0.1,
      source: 'doi.org/10.1038/s41597-024-03409-7 (001_F_GA41_BW2905_PA44_DG11_PF0_D1_S01_1.jpg)',
    },
  ),
  brset,
  mbrset,
  biobank,
]
