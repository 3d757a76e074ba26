/** DICOM files, alone and beside other sources. */
import { eachShotOfStudy, type Convention, other, plain, PROOF, trap } from '../convention.ts'
import { plainNumbers, prefixed } from '../ids.ts'
import { drawNotation } from '../notation.ts'
import { drawPerson, WORLD_NAMES } from '../people.ts'
import { dicomHeader, type Statements, statementsOf, uid } from '../sources.ts'
import type { DicomHeader, Shot, Visit } from '../world.ts'
import type { Draw } from '../draw.ts'

/** How DICOM files are called that say nothing by their names. */
const SILENT_NAMES = [
  (draw: Draw, _visit: Visit, _shot: Shot) => `${uid(draw)}.dcm`,
  (draw: Draw, visit: Visit, _shot: Shot) => `DICOM/ST${visit.index}/${draw.hex(8).toUpperCase()}`,
  (draw: Draw, _visit: Visit, _shot: Shot) => `export/${draw.uuid()}.dcm`,
  (_draw: Draw, visit: Visit, shot: Shot) => `0${String(visit.index * 100 + shot.number).padStart(7, '0')}`,
] as const

/** Attributes say all; names say nothing. */
const dicomOnly = plain(
  'DICOM with silent names',
  (draw) => {
    const path = draw.style(SILENT_NAMES)
    const attribute = draw.style(['image', 'series', 'both'] as const)
    return {
      facts: PROOF,
      write: eachShotOfStudy((visit, shot, folder, study) => {
        const header = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
        folder.picture(visit, shot, path(folder.draw, visit, shot), {
          dicom: withLaterality(header, attribute),
        })
      }),
    }
  },
  { handsFree: 'without profile' },
)

function withLaterality(header: DicomHeader, attribute: 'image' | 'series' | 'both'): DicomHeader {
  const { imageLaterality, ...rest } = header
  if (imageLaterality === undefined) return rest
  return {
    ...rest,
    ...(attribute !== 'series' && { imageLaterality }),
    ...(attribute !== 'image' && { laterality: imageLaterality }),
  }
}

const dicomAndNames = plain(
  'DICOM with names that agree',
  (draw) => {
    const numbering = prefixed(draw)
    const n = drawNotation(draw)
    const extension = draw.style(['.dcm', '.DCM', '.dicom'])
    return {
      facts: PROOF,
      numbering,
      write: eachShotOfStudy((visit, shot, folder, study) => {
        const name = [visit.person.id, n.day(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
        const dicom = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
        folder.picture(visit, shot, `${visit.person.id}/${name}${extension}`, { dicom })
      }),
    }
  },
  { handsFree: 'without profile' },
)

const dicomTwins = plain(
  'JPEG beside its DICOM twin',
  (draw) => {
    const numbering = plainNumbers(draw)
    const n = drawNotation(draw)
    const order = draw.style(['DICOM first', 'JPEG first', 'all JPEG first'] as const)
    const name = draw.style(['silent', 'speaking'] as const)
    return {
      facts: PROOF,
      numbering,
      write: eachShotOfStudy((visit, shot, folder, study) => {
        const stem =
          name === 'silent'
            ? `${visit.person.id}/IMG${String(shot.number).padStart(4, '0')}_${visit.index}`
            : `${visit.person.id}/${[visit.person.id, n.day(visit.day), n.eye(shot.eye), shot.number].join('_')}`
        const dicom = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
        const late = order === 'all JPEG first' ? visit.shots.at(-1)!.atMs - shot.atMs + 5_000 : 2_000
        const photograph = folder.picture(visit, shot, `${stem}.jpg`)
        folder.picture(visit, shot, `${stem}.dcm`, {
          dicom,
          photograph,
          atMs: order === 'DICOM first' ? shot.atMs - 1_000 : shot.atMs + late,
        })
      }),
    }
  },
  { handsFree: 'without profile' },
)

const dicomWorldNames = plain(
  'DICOM with names of the world',
  (draw) => {
    const numbering = plainNumbers(draw)
    const path = draw.style(SILENT_NAMES)
    const form = draw.style(['NFC', 'NFD', 'mixed'] as const)
    return {
      facts: PROOF,
      person: (draw) => drawPerson(draw, numbering(draw).id, [], draw.pick(WORLD_NAMES)),
      write: eachShotOfStudy((visit, shot, folder, study) => {
        const header = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
        const isDecomposed = form === 'NFD' || (form === 'mixed' && shot.number % 2 === 0)
        const patientName = header.patientName!.normalize(isDecomposed ? 'NFD' : 'NFC')
        folder.picture(visit, shot, path(folder.draw, visit, shot), { dicom: { ...header, patientName } })
      }),
    }
  },
  { handsFree: 'without profile' },
)

/** An attribute that is missing, and that nothing else states. */
const missing = (
  name: string,
  fact: 'who' | 'day' | 'eye',
  drop: readonly (keyof Statements)[],
): Convention =>
  trap(name, (draw) => {
    const path = draw.style(SILENT_NAMES.slice(0, 3))
    const value = draw.style(['absent', 'empty'] as const)
    const other = draw.style(['whole', 'bare'] as const)
    return {
      facts: { ...PROOF, [fact]: fact === 'day' ? 'weak' : 'hidden' },
      write: eachShotOfStudy((visit, shot, folder, study) => {
        const stated = {
          ...statementsOf(visit, shot.eye),
          ...(other === 'bare' && { birthDate: null, sex: null }),
        }
        for (const key of drop) Object.assign(stated, { [key]: null })
        const header = dicomHeader(folder.draw, stated, study)
        const empty: DicomHeader =
          fact === 'who' ? { patientId: '' } : fact === 'day' ? { studyDate: '' } : { imageLaterality: '' }
        folder.picture(visit, shot, path(folder.draw, visit, shot), {
          dicom: value === 'empty' ? { ...header, ...empty } : header,
        })
      }),
    }
  })

/** `Laterality` of the series and `ImageLaterality` of the image differ. */
const lateralities = trap('two laterality attributes disagree', (draw) => {
  const path = draw.style(SILENT_NAMES)
  const share = draw.style([1, 0.5, 0.3])
  return {
    facts: PROOF,
    write: eachShotOfStudy((visit, shot, folder, study) => {
      const header = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
      const isWrong = folder.draw.chance(share)
      const falseValue = shot.eye === 'right' ? 'L' : 'R'
      // Either attribute may be the false one.
      const dicom = !isWrong
        ? { ...header, laterality: header.imageLaterality! }
        : folder.draw.chance(0.5)
          ? { ...header, laterality: falseValue }
          : { ...header, laterality: header.imageLaterality!, imageLaterality: falseValue }
      folder.picture(visit, shot, path(folder.draw, visit, shot), {
        dicom,
        facts: { eye: isWrong ? 'disputed' : 'proof' },
      })
    }),
  }
})

/** `B` for both, `U` for unpaired: no statement of an eye. */
const noEyeValue = trap('laterality B or U', (draw) => {
  const path = draw.style(SILENT_NAMES)
  const value = draw.style(['B', 'U', ''])
  return {
    facts: { ...PROOF, eye: 'hidden' },
    write: eachShotOfStudy((visit, shot, folder, study) => {
      const header = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
      folder.picture(visit, shot, path(folder.draw, visit, shot), {
        dicom: { ...header, imageLaterality: value },
      })
    }),
  }
})

/**
 * A DICOM file with the stem of a JPEG that is another photograph, of the patient's other eye: the counter began again.
 * Its attributes are right for itself and say nothing of the JPEG.
 */
const falseTwin = trap('a twin of another photograph', (draw) => {
  const stem = draw.style(['IMG', 'EXPORT', 'F'])
  const digits = draw.style([3, 4])
  const order = draw.style([-1_000, 1_500])
  return {
    facts: PROOF,
    write: eachShotOfStudy((visit, shot, folder, study) => {
      const eye = other(shot.eye)
      const name = `${visit.person.id}/${stem}${visit.index}${String(shot.number).padStart(digits, '0')}`
      folder.picture(visit, shot, `${name}.jpg`, { facts: { who: 'weak', day: 'weak', eye: 'hidden' } })
      folder.picture(visit, { ...shot, eye }, `${name}.dcm`, {
        dicom: dicomHeader(folder.draw, statementsOf(visit, eye), study),
        atMs: shot.atMs + order,
      })
    }),
  }
})

export const dicom: readonly Convention[] = [
  dicomOnly,
  dicomAndNames,
  dicomTwins,
  dicomWorldNames,
  missing('DICOM without a number', 'who', ['id']),
  missing('DICOM without number and name', 'who', ['id', 'last', 'first']),
  missing('DICOM without an eye', 'eye', ['eye']),
  missing('DICOM without a day', 'day', ['day']),
  lateralities,
  noEyeValue,
  falseTwin,
]
