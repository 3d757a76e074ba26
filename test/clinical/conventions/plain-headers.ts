/** DICOM files whose proof plainly holds, under the names and folders of archives, media and cameras. */
import { type Convention, shiftDay } from '../convention.ts'
import { inventedName } from '../documents.ts'
import { dicomEach, exams, hash, perVisit, text, withMore } from '../exams.ts'
import { clock, compactDay } from '../notation.ts'
import { drawPerson } from '../people.ts'
import { dicomHeader, uid } from '../sources.ts'
import type { DicomElement } from '../world.ts'

/** Named by the number of the order, which the file itself states as (0008,0050), and under which archives file. */
const accession = dicomEach('plain', 'DICOM called by its accession number', (draw) => {
  const width = draw.style([6, 7, 8, 10])
  const prefix = draw.style(['', '', 'A', 'ACC'])
  const position = draw.style(['folder', 'file', 'both'] as const)
  const numberOf = perVisit((_visit, draw) => prefix + draw.digits(width))
  return ({ visit, draw, above, file, shot }, header) => {
    const number = numberOf(visit, draw)
    const dicom = withMore(header, text('00080050', 'SH', number))
    const path = {
      folder: `${above}${number}/${file}`,
      file: `${above}${number}_${shot.number}.dcm`,
      both: `${number}/${number}-${shot.number}.dcm`,
    }[position]
    return { dicom, path }
  }
})

/** (0020,0010) in the path. */
const studyId = dicomEach('plain', 'DICOM called by its study id', (draw) => {
  const width = draw.style([4, 6, 8])
  const name = draw.style([
    (study: string, count: number) => `${study}/${count}.dcm`,
    (study: string, count: number) => `ST${study}_${count}.dcm`,
    (study: string, count: number) => `study ${study} image ${count}.dcm`,
  ])
  const studyOf = perVisit((_visit, draw) => draw.digits(width))
  return ({ visit, draw, shot }, header) => {
    const study = studyOf(visit, draw)
    return { dicom: withMore(header, text('00200010', 'SH', study)), path: name(study, shot.number) }
  }
})

/** A medium: folders of patient, study and series, and images without an extension (PS3.10, eight characters). */
const medium = dicomEach('plain', 'DICOM as on a medium', (draw) => {
  const root = draw.style(['', 'DICOM/', 'IMAGES/', 'DATA/'])
  const width = draw.style([1, 3, 5])
  const levels = draw.style([
    ['P', 'S', 'I'],
    ['S', 'I'],
    ['PAT', 'ST', 'SE', 'IM'],
    ['S', 'S', 'I'],
  ] as const)
  return ({ visit, shot }, header) => {
    const count = (of: number): string => String(of).padStart(width, '0')
    const parts = levels.map((level, at) => {
      const isLast = at === levels.length - 1
      return level + count(isLast ? shot.number - 1 : at === 0 ? visit.index + 1 : at - 1)
    })
    return { dicom: header, path: root + parts.join('/') }
  }
})

/** Archives file by modality and day of arrival. */
const byModality = dicomEach('plain', 'DICOM in folders of an archive', (draw) => {
  const modality = draw.style(['OP', 'XC', 'OPT', 'SC'])
  const layout = draw.style([
    (day: string, mod: string, unique: string) =>
      `${mod}/${day.slice(0, 4)}/${day.slice(5, 7)}/${day.slice(8)}/${unique}`,
    (day: string, mod: string, unique: string) => `archive/${compactDay(day)}/${mod}/${unique}`,
    (_day: string, mod: string, unique: string) => `${unique}/${mod}/${unique}`,
  ])
  return ({ visit, draw }, header) => ({
    dicom: withMore(header, text('00080060', 'CS', modality)),
    path: `${layout(visit.day, modality, hash(draw, 16))}.dcm`,
  })
})

/** Words that any folder may have. */
const FOLDER_TERMS =
  'out new today export fundus images incoming done scans Ausgang Bilder salida sortie uscita saida pending color retina send'.split(
    ' ',
  )
const commonFolders = dicomEach('plain', 'DICOM in a folder called by a common term', (draw) => {
  const term = draw.style(FOLDER_TERMS)
  const second = draw.style(['', '', `/${draw.style(FOLDER_TERMS)}`])
  return ({ file }, header) => ({ dicom: header, path: `${term}${second}/${file}` })
})

/** Surnames that are also terms of a clinic, of counting or of the calendar. */
const COMMON_SURNAMES =
  'Lane Ward Day Page Field Bright Dean Case May March Summer Winter King Bishop Price Grey White Scholz Rand Blanco Cruz Reyes Center Hall Little Long'.split(
    ' ',
  )
const commonSurnames = dicomEach(
  'plain',
  'surnames that are terms, in folders of DICOM',
  (draw) => {
    const form = draw.style([
      (last: string, _first: string) => last,
      (last: string, first: string) => `${last}_${first}`,
      (last: string, first: string) => `${last.toUpperCase()} ${first.toUpperCase()}`,
    ])
    return ({ visit: { person, index }, file }, header) => ({
      dicom: header,
      path: `${form(person.last, person.first)}/${index}x_${file}`,
    })
  },
  (draw) => {
    const width = draw.style([6, 7])
    return {
      person: (draw, index) => {
        const person = drawPerson(draw, draw.digits(width))
        return { ...person, last: COMMON_SURNAMES[(index * 7 + draw.int(0, 2)) % COMMON_SURNAMES.length]! }
      },
    }
  },
)

/** Sizes, fields of view, zoom and units beside the eye. */
const UNITS = [
  '45deg',
  '2576x1958',
  'F45',
  '3.2mm',
  '50°',
  'x2',
  '30FOV',
  '100ms',
  'ISO400',
  '1.5x',
  '200dpi',
  'f60d',
  '0.8MP',
]
const unitsInNames = dicomEach('plain', 'sizes and units in names of DICOM', (draw) => {
  const [one, two] = [draw.style(UNITS), draw.style(UNITS)]
  const separator = draw.style(['_', '-', ' '])
  const hasEye = draw.style([true, false])
  return ({ visit, shot }, header) => {
    const parts = [
      compactDay(visit.day),
      ...(hasEye ? [shot.eye === 'right' ? 'OD' : 'OS'] : []),
      one,
      clock(shot.atMs),
      two,
    ]
    return { dicom: header, path: `${parts.join(separator)}.dcm` }
  }
})

/** The eye between the number and a count, and the count may be as long as a number. */
const eyeBetween = dicomEach('plain', 'an eye between two numbers in names of DICOM', (draw) => {
  const width = draw.style([1, 3, 5])
  const separator = draw.style(['_', '-', '.'])
  const names = draw.style([
    { right: 'OD', left: 'OS' },
    { right: 'R', left: 'L' },
    { right: 'right', left: 'left' },
  ])
  return ({ visit: { person, index }, shot }, header) => {
    const count = String(index * 20 + shot.number).padStart(width, '0')
    return { dicom: header, path: `${[person.id, names[shot.eye], count].join(separator)}.dcm` }
  }
})

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const monthsInNames = dicomEach('plain', 'months by name in names of DICOM', (draw) => {
  const form = draw.style([
    (y: string, m: string, d: string) => `${d}${m}${y}`,
    (y: string, m: string, d: string) => `${d}-${m}-${y}`,
    (y: string, m: string, d: string) => `${y}_${m.toUpperCase()}_${d}`,
    (y: string, m: string, d: string) => `${m} ${d} ${y}`,
  ])
  const isFolder = draw.style([true, false])
  return ({ visit: { day, index }, file, shot }, header) => {
    const date = form(day.slice(0, 4), MONTHS[Number(day.slice(5, 7)) - 1]!, day.slice(8))
    return {
      dicom: header,
      path: isFolder ? `${date}/${index}x/${file}` : `${date}_${clock(shot.atMs)}_${index}.dcm`,
    }
  }
})

/** All dates of the file are the same day: of study, series, acquisition, content and creation. */
const allDates = dicomEach('plain', 'DICOM with all its dates alike', (draw) => {
  const fraction = draw.style(['', '.000', '.120000'])
  const offset = draw.style(['', '+0000'])
  return ({ visit, shot, draw }, header) => {
    const [day, time] = [compactDay(visit.day), clock(shot.atMs)]
    const all = [
      text('00080012', 'DA', day),
      text('00080021', 'DA', day),
      text('00080022', 'DA', day),
      text('00080023', 'DA', day),
      text('0008002A', 'DT', day + time + fraction + offset),
      text('00080030', 'TM', time),
      text('00080033', 'TM', time + fraction),
    ]
    return { dicom: withMore(header, ...all.filter(() => draw.chance(0.8))) }
  }
})

/** One issuer in the whole folder, which some of its files leave out. */
const oneIssuer = dicomEach('plain', 'one issuer, stated now and then', (draw) => {
  const issuer = draw.style(['CLINIC', 'St. Anna', 'HOSP1', inventedName(draw)])
  const share = draw.style([1, 0.5, 0.2])
  return ({ draw }, header) => ({
    dicom: draw.chance(share) ? withMore(header, text('00100021', 'LO', issuer)) : header,
  })
})

/** The eye of the image, of the series and of the frame are one. */
const allLateralities = dicomEach('plain', 'DICOM with all its lateralities alike', (draw) => {
  const series = draw.style([true, false])
  const frame = draw.style([true, false])
  return ({ shot }, header) => {
    const letter = shot.eye === 'right' ? 'R' : 'L'
    const ofFrame: DicomElement = {
      tag: '52009229',
      vr: 'SQ',
      value: [[{ tag: '00209071', vr: 'SQ', value: [[text('00209072', 'CS', letter)]] }]],
    }
    return {
      dicom: { ...withMore(header, ...(frame ? [ofFrame] : [])), ...(series && { laterality: letter }) },
    }
  }
})

/** One archive for each visit, whose files state all. */
const inArchives = exams('plain', 'DICOM in an archive', (draw) => {
  const name = draw.style([
    (_visit: number, unique: string) => `${unique}.zip`,
    (visit: number, _unique: string) => `export/${visit + 1}x.zip`,
    (visit: number, _unique: string) => `exam-${'abcfhjkmnp'[visit]}.zip`,
  ])
  const entry = draw.style(['IM', 'DICOM/I', 'image'])
  const pathOf = perVisit(({ index }, draw) => name(index, draw.uuid()))
  const studyOf = perVisit((_visit, draw) => uid(draw))
  return ({ visit, shot, draw, states }, put) => {
    const dicom = dicomHeader(draw, states, studyOf(visit, draw))
    put.image({}, dicom, `${pathOf(visit, draw)}/${entry}${shot.number}.dcm`)
  }
})

/** What photographers and programs write that states no eye. */
const REMARKS = [
  'Color fundus 45',
  'dilated, cooperative',
  'Farbfotografie des Augenhintergrunds',
  'retinografia',
  'control after 6 months',
  'small pupil',
  'second attempt',
]
const harmlessRemarks = dicomEach('plain', 'DICOM with remarks about other things', (draw) => {
  const [description, comment] = [draw.style(REMARKS), draw.style(REMARKS)]
  return (_at, header) => ({
    dicom: withMore(
      { ...header, seriesDescription: description },
      text('00204000', 'LT', comment),
      text('00081030', 'LO', 'Fundus photography'),
    ),
  })
})

/** Procedures, orders and earlier studies in sequences, with days and numbers of their own. */
const nestedOthers = dicomEach('plain', 'DICOM with orders and earlier studies inside', (draw) => {
  const hasOrder = draw.style([true, false])
  const days = draw.style([30, 200, 800])
  return ({ visit, draw }, header) => {
    const earlier = compactDay(shiftDay(visit.day, -days))
    const reference: DicomElement = {
      tag: '00081110',
      vr: 'SQ',
      value: [[text('00080020', 'DA', earlier), text('00081155', 'UI', `2.25.${draw.digits(12)}`)]],
    }
    const order: DicomElement = {
      tag: '00400275',
      vr: 'SQ',
      value: [[text('00401001', 'SH', draw.digits(6)), text('00400007', 'LO', 'Fundus photo')]],
    }
    return { dicom: withMore(header, reference, ...(hasOrder ? [order] : [])) }
  }
})

/** One value as standards spell it, padded: an age, a sex, the groups of a name. */
const paddedValues = dicomEach('plain', 'DICOM with padded values and groups of a name', (draw) => {
  const groups = draw.style([
    (name: string) => `${name}^^Dr`,
    (name: string) => `${name}^^^`,
    (name: string) => `${name}=`,
    (name: string) => name.toUpperCase(),
  ])
  const hasSpaces = draw.style([true, false])
  return ({ visit }, header) => {
    const age = String(Number(visit.day.slice(0, 4)) - Number(visit.person.birthDate.slice(0, 4)) - 1)
    const had = visit.day.slice(5) >= visit.person.birthDate.slice(5)
    return {
      dicom: {
        ...withMore(
          header,
          text('00101010', 'AS', `${(had ? String(Number(age) + 1) : age).padStart(3, '0')}Y`),
        ),
        patientName: groups(header.patientName!),
        ...(hasSpaces && { patientId: `${header.patientId!} ` }),
      },
    }
  }
})

export const plainHeaders: readonly Convention[] = [
  accession,
  studyId,
  medium,
  byModality,
  commonFolders,
  commonSurnames,
  unitsInNames,
  eyeBetween,
  monthsInNames,
  allDates,
  oneIssuer,
  allLateralities,
  inArchives,
  harmlessRemarks,
  nestedOthers,
  paddedValues,
]
