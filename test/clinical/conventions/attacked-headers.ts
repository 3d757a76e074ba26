/** DICOM files whose attributes contradict each other, or state what a hasty reader cuts, joins or takes for another's. */
import { type Convention, other, shiftDay, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { type At, dicomEach, text, withMore, without } from '../exams.ts'
import { clock, compactDay } from '../notation.ts'
import { drawPerson, drawStranger } from '../people.ts'
import { dicomHeader, statementsOf, uid } from '../sources.ts'
import type { DicomElement, DicomHeader, Eye, Facts } from '../world.ts'

const letter = (eye: Eye): string => (eye === 'right' ? 'R' : 'L')
const sequence = (tag: string, ...items: readonly (readonly DicomElement[])[]): DicomElement => ({
  tag,
  vr: 'SQ',
  value: items,
})

type Attack = (draw: Draw) => (at: At, header: DicomHeader) => DicomHeader

/** Each file is spoilt with this probability, and then has these facts. */
function spoilt(name: string, facts: Partial<Facts>, attack: Attack): Convention {
  return dicomEach('trap', name, (draw) => {
    const share = draw.style([0.4, 0.8])
    const change = attack(draw)
    return (at, header) => (at.draw.chance(share) ? { dicom: change(at, header), facts } : { dicom: header })
  })
}

/** The value is that of another person, eye or day. */
const foreign = (at: At): DicomHeader => {
  const person = drawStranger(at.draw, at.visit.person, at.draw.digits(at.visit.person.id.length))
  const day = shiftDay(at.visit.day, -at.draw.int(1, 60))
  return dicomHeader(at.draw, { ...statementsOf({ ...at.visit, person }, other(at.shot.eye)), day }, '')
}

const severalLateralities = spoilt('a laterality of several values', { eye: 'disputed' }, (draw) => {
  const form = draw.style([
    (own: string, its: string) => `${own}\\${its}`,
    (own: string, its: string) => `${its}\\${own}`,
    (own: string, its: string) => `${own}\\${own}\\${its}`,
    (own: string) => `${own}\\B`,
  ])
  const attribute = draw.style(['imageLaterality', 'laterality'] as const)
  return ({ shot }, { imageLaterality, ...header }) => ({
    ...header,
    [attribute]: form(imageLaterality!, letter(other(shot.eye))),
  })
})

/** (0020,9072) of the frames, in the shared or the per-frame groups. */
const frameLateralities = spoilt('frames of two eyes', { eye: 'disputed' }, (draw) => {
  const group = draw.style(['52009230', '52009229'])
  const hasImage = draw.style([true, false])
  const isBoth = draw.style([true, false])
  return ({ shot }, { imageLaterality, ...header }) => {
    const frame = (eye: Eye): readonly DicomElement[] => [
      sequence('00209071', [text('00209072', 'CS', letter(eye))]),
    ]
    // Without the eye of the image, only two frames that differ are a contradiction.
    const eyes = isBoth || !hasImage ? [shot.eye, other(shot.eye)] : [other(shot.eye)]
    return {
      ...withMore(header, sequence(group, ...eyes.map(frame))),
      ...(hasImage && { imageLaterality: imageLaterality! }),
    }
  }
})

/** (0008,2218) with its modifier (0008,2220), in the codes of SNOMED or SRT. */
const CODES: Readonly<Record<Eye, readonly (readonly [string, string, string])[]>> = {
  right: [
    ['G-A100', 'SRT', 'Right'],
    ['24028007', 'SCT', 'Right'],
  ],
  left: [
    ['G-A101', 'SRT', 'Left'],
    ['7771000', 'SCT', 'Left'],
  ],
}
const modifiers = spoilt('an anatomic modifier of the other eye', { eye: 'disputed' }, (draw) => {
  const scheme = draw.style([0, 1])
  const position = draw.style(['region', 'structure'] as const)
  return ({ shot }, header) => {
    const [code, designator, meaning] = CODES[other(shot.eye)][scheme]!
    const coded = (value: string, by: string, name: string): readonly DicomElement[] => [
      text('00080100', 'SH', value),
      text('00080102', 'SH', by),
      text('00080104', 'LO', name),
    ]
    const eye = [...coded('81745001', 'SCT', 'Eye'), sequence('00082220', coded(code, designator, meaning))]
    const structure = [
      ...coded('5665001', 'SCT', 'Retina'),
      sequence('00082230', coded(code, designator, meaning)),
    ]
    return withMore(
      header,
      position === 'region' ? sequence('00082218', eye) : sequence('00082228', structure),
    )
  }
})

const REPEATED = {
  eye: { key: 'imageLaterality', tag: '00200062', vr: 'CS', facts: { eye: 'disputed' } },
  number: { key: 'patientId', tag: '00100020', vr: 'LO', facts: { who: 'disputed' } },
  day: { key: 'studyDate', tag: '00080020', vr: 'DA', facts: { day: 'disputed' } },
  name: { key: 'patientName', tag: '00100010', vr: 'PN', facts: { who: 'disputed' } },
} as const

function repeated(fact: keyof typeof REPEATED): Convention {
  const { key, tag, vr, facts } = REPEATED[fact]
  return spoilt(`a DICOM file with its ${fact} twice`, facts, (draw) => {
    const isFirst = draw.style([true, false])
    const hasFar = draw.style([true, false])
    return (at, header) => {
      const [own, its] = [header[key]!, foreign(at)[key]!]
      // The second of two elements is the one that most readers keep.
      const first = isFirst ? own : its
      const second = isFirst ? its : own
      return withMore(
        { ...header, [key]: first },
        ...(hasFar ? [text('00204000', 'LT', 'x')] : []),
        text(tag, vr, second),
      )
    }
  })
}

const DATES = ['00080022', '00080023', '0008002A', '00080021'] as const
const differingDates = spoilt('DICOM dates that differ', { day: 'disputed' }, (draw) => {
  const tag = draw.style(DATES)
  const range = draw.style([
    [1, 2],
    [3, 40],
    [300, 900],
  ] as const)
  return ({ visit, shot, draw }, header) => {
    const day = compactDay(shiftDay(visit.day, -draw.int(range[0], range[1])))
    return withMore(
      header,
      tag === '0008002A' ? text(tag, 'DT', day + clock(shot.atMs)) : text(tag, 'DA', day),
    )
  }
})

/** (0008,0201), or an offset of the time itself, moves the instant to another day than its digits say. */
const offsets = spoilt('DICOM instants of another zone', { day: 'weak' }, (draw) => {
  const carrier = draw.style(['acquisition', 'study and zone'] as const)
  return ({ visit, shot }, header) => {
    const time = new Date(shot.atMs).toISOString().slice(11, 19)
    const hour = Number(time.slice(0, 2))
    const { zoneHours } = visit
    const ahead = 24 - hour <= 14 - zoneHours
    const hours = ahead ? 24 - hour : -(hour + 1)
    const local = new Date(Date.parse(`${visit.day}T${time}Z`) + hours * 3_600_000).toISOString()
    const [day, clockText] = [compactDay(local.slice(0, 10)), local.slice(11, 19).replaceAll(':', '')]
    const ofZone = zoneHours + hours
    const offset = `${ofZone < 0 ? '-' : '+'}${String(Math.abs(ofZone)).padStart(2, '0')}00`
    const rest = without(header, 'studyDate')
    if (carrier === 'study and zone')
      return withMore(
        { ...rest, studyDate: day },
        text('00080030', 'TM', clockText),
        text('00080201', 'SH', offset),
      )
    return withMore(rest, text('0008002A', 'DT', day + clockText + offset), text('00080201', 'SH', offset))
  }
})

/** Two institutions number their patients from the same numbers, and each states itself as (0010,0021). */
const twoIssuers = dicomEach(
  'trap',
  'one number of two issuers',
  (draw) => {
    const issuers = draw.style([
      ['NORTH', 'SOUTH'],
      ['HOSP^1.2.3^ISO', 'CLINIC^1.2.4^ISO'],
      ['St. Anna', 'St. Maria'],
    ] as const)
    const isNamed = draw.style([true, false])
    return ({ visit }, header) => {
      const isSecond = visit.index % 2 === 1
      const dicom = withMore(header, text('00100021', 'LO', issuers[isSecond ? 1 : 0]))
      const bare = without(dicom, 'patientName', 'birthDate', 'sex')
      return { dicom: isNamed ? dicom : bare, facts: isSecond ? { who: 'disputed' } : {} }
    }
  },
  (draw) => {
    const length = draw.style([6, 7])
    return {
      isOneDay: true,
      minutesBetween: draw.style([
        [4, 15],
        [30, 60],
      ] as const),
      examDay: (_draw, day) => day,
      person: (draw, index, earlier) => {
        const last = earlier.at(-1)?.person
        return index % 2 === 1 && last
          ? drawStranger(draw, last, last.id)
          : drawPerson(draw, draw.digits(length))
      },
    }
  },
)

const EYE_TEXTS_OF: Readonly<Record<Eye, readonly string[]>> = {
  right: ['OD', 'right eye', 'Right', 'OD macula', 'rechtes Auge', 'ojo derecho'],
  left: ['OS', 'left eye', 'Left', 'OS macula', 'linkes Auge', 'ojo izquierdo'],
}
const descriptions = spoilt('a description of the other eye', { eye: 'disputed' }, (draw) => {
  const term = draw.style([0, 1, 2, 3, 4, 5])
  const before = draw.style(['', 'Color ', 'Fundus '])
  const tag = draw.style(['series', '00204000', '00081030', '00181030'] as const)
  return ({ shot }, header) => {
    const terms = before + EYE_TEXTS_OF[other(shot.eye)][term]!
    return tag === 'series'
      ? { ...header, seriesDescription: terms }
      : withMore(header, text(tag, 'LO', terms))
  }
})

/** `B` beside one eye is no silence, and silence beside `B` is none, either. */
const bothAndOne = spoilt('both eyes in one attribute, one in the other', { eye: 'disputed' }, (draw) => {
  const attribute = draw.style(['imageLaterality', 'laterality'] as const)
  const isOther = draw.style([true, false])
  return ({ shot }, header) => ({
    ...header,
    [attribute]: 'B',
    [attribute === 'laterality' ? 'imageLaterality' : 'laterality']: letter(
      isOther ? other(shot.eye) : shot.eye,
    ),
  })
})

/** A number that no reader may cut or join; each writes another text than the clinic's number. */
const cutNumbers = spoilt('a DICOM number to be cut or joined', { who: 'hidden' }, (draw) => {
  const write = draw.style([
    (id: string, its: string) => `${id}\\${its}`,
    (id: string, its: string) => `${id}\0${its}`,
    (id: string) => `${id.slice(0, 3)}\n${id.slice(3)}`,
    (id: string, its: string) => `${id}^${its}`,
    (id: string) => `${id.slice(0, -2)}..`,
  ])
  return ({ visit, draw }, header) => ({
    ...header,
    patientId: write(visit.person.id, draw.digits(visit.person.id.length)),
  })
})

/** The name of one, the number of the other, in one file that lists the other's numbers as well (0010,1002). */
const otherIds = spoilt('other numbers inside, one of them a patient’s', { who: 'weak' }, (draw) => {
  const hasOwn = draw.style([true, false])
  return ({ visit, draw }, { patientId, ...header }) => {
    // The file's own number is missing; the others are of other institutions.
    const item = (id: string): readonly DicomElement[] => [
      text('00100020', 'LO', id),
      text('00100021', 'LO', 'OTHER'),
    ]
    return withMore(
      { ...header, patientId: '' },
      sequence('00101002', item(draw.digits(visit.person.id.length)), ...(hasOwn ? [item(patientId!)] : [])),
    )
  }
})

/** Two photographs under one SOP instance UID: a device whose counter of instances restarts. Neither may be dropped. */
const equalUids = trap('two photographs of one UID', (draw) => {
  const scope = draw.style(['of one visit', 'of all visits'] as const)
  const unique = uid(draw)
  const folderName = draw.style(['', 'export/', 'DICOM/'])
  return {
    facts: { who: 'proof', day: 'proof', eye: 'proof' },
    perEye: [1, 1],
    minutesBetween: [4, 20],
    write: (visit, folder) => {
      const study = uid(folder.draw)
      const ofVisit = uid(folder.draw)
      for (const shot of visit.shots) {
        const dicom = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
        folder.picture(visit, shot, `${folderName}${folder.draw.uuid()}.dcm`, {
          dicom: { ...dicom, sopInstanceUid: scope === 'of one visit' ? ofVisit : unique },
        })
      }
    },
  }
})

/** A camera without a clock of its own writes its one name over, with each patient's own attributes. */
const oneName = trap('one DICOM name written over by each patient', (draw) => {
  const name = draw.style(['IMAGE', 'CAPTURE', 'last', 'F0000001'])
  const extension = draw.style(['.dcm', '.DCM'])
  const byEye = draw.style([true, false])
  return {
    facts: { who: 'proof', day: 'proof', eye: 'proof' },
    perEye: [1, 1],
    secondsBetween: [20, 60],
    minutesBetween: [1, 12],
    write: (visit, folder) => {
      const study = uid(folder.draw)
      for (const shot of visit.shots)
        folder.picture(visit, shot, `${name}${byEye ? shot.number : ''}${extension}`, {
          dicom: dicomHeader(folder.draw, statementsOf(visit, shot.eye), study),
        })
    },
  }
})

/** A camera packs each visit, and calls all of its photographs alike in the archive; each states its own eye. */
const oneEntryName = trap('one name in an archive for all its images', (draw) => {
  const entry = draw.style(['IMAGE.dcm', 'images/0001.dcm', 'DICOM/IMG'])
  const archive = draw.style([
    (_visit: number, unique: string) => `${unique}.zip`,
    (visit: number) => `export${visit + 1}x.zip`,
    (visit: number, unique: string) => `out/${unique}_${visit}.ZIP`,
  ])
  return {
    facts: { who: 'proof', day: 'proof', eye: 'proof' },
    perEye: [1, 2],
    write: (visit, folder) => {
      const study = uid(folder.draw)
      const path = archive(visit.index, folder.draw.uuid())
      for (const shot of visit.shots)
        folder.picture(visit, shot, `${path}/${entry}`, {
          dicom: dicomHeader(folder.draw, statementsOf(visit, shot.eye), study),
          format: 'dicom',
          // The archive is whole with its last image.
          atMs: visit.shots.at(-1)!.atMs,
        })
    },
  }
})

export const attackedHeaders: readonly Convention[] = [
  severalLateralities,
  frameLateralities,
  modifiers,
  repeated('eye'),
  repeated('number'),
  repeated('day'),
  repeated('name'),
  differingDates,
  offsets,
  twoIssuers,
  descriptions,
  bothAndOne,
  cutNumbers,
  otherIds,
  equalUids,
  oneName,
  oneEntryName,
]
