import { dicomPhoto } from './dicom-files.ts'
import { padded, type CameraLayout } from './layout.ts'
import { EYE_WORDS, type Shot } from './pictures.ts'

const FIELDS = ['0-visible', '3-visible', '0-infrared', '11-visible'] as const

/**
 * Layout 5: several fields of each eye as DICOM; words of the name tell field and light: central and nasal in colour,
 * central in infrared, and the mosaic (11).
 */
export const eidonFields: CameraLayout = (visits) =>
  visits.flatMap((visit) => {
    const patientId = `HC-${padded(4_000 + visit.number, 6)}`
    return (['right', 'left'] as const).flatMap((eye, side) =>
      FIELDS.map((field, number) => {
        const shot: Shot = { eye, index: side * FIELDS.length + number }
        const flavour = field.endsWith('infrared') ? 'INFRARED' : 'COLOR'
        const name = `${patientId}-${EYE_WORDS[eye]}-${field}-1.dcm`
        return dicomPhoto(name, visit, shot, { patientId, flavour })
      }),
    )
  })
