/** A dry run as the stand-in pretends it: what is clear follows from the parts that stand in the patterns. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { profileById } from '../../../src-shared/profile.ts'
import type { ProfileDryRun } from '../../../src-shared/station-status.ts'

type Visit = ProfileDryRun['visits'][number]

const LONG =
  'A folder name as long as some cameras write it for the patients of a whole afternoon/NUMBER-WITHOUT-ANY-SPACE-00000000000000000000000000000000000000417'

/** The trial of a profile on one of the stand-in's folders. */
export function standInTrial({ profile }: ParsedInput<'folders.tryProfile'>): ProfileDryRun {
  const tried = typeof profile === 'string' ? profileById(profile, []) : profile
  const text = tried?.patterns.join(' ') ?? ''
  const readsNumber = tried === null || text.includes('{historyNumber}')
  const readsEye = tried === null || text.includes('{eye}')
  const readsDate = text.includes('{date')
  const numbers = ['H-00412', 'H-00415', LONG.slice(-40)]
  const visits = numbers.map((number, index): Visit => {
    const folder = index === 2 ? LONG : `${number}_20261121`
    const image = (name: string, eye: 'right' | 'left'): Visit['images'][number] => ({
      fileName: `${folder}/${name}`,
      contentType: 'image/jpeg',
      eye: readsEye ? eye : 'unknown',
      eyeSource: readsEye ? 'fileName' : null,
      twinOf: null,
    })
    const images = [image('OD_1.jpg', 'right'), image('OS_1.jpg', 'left')]
    return {
      fields: {
        ...(readsNumber && { history_number: number }),
        visit_date: '2026-11-21',
        ...(index === 0 && { first_name: 'Synthia', last_name: 'Sampleton' }),
      },
      sources: {
        ...(readsNumber && { history_number: 'folderName' as const }),
        visit_date: readsDate ? 'fileName' : 'fileTime',
        ...(index === 0 && { last_name: 'sidecar' as const }),
      },
      images:
        index === 1
          ? [
              ...images,
              {
                fileName: `${folder}/OD_1.dcm`,
                contentType: 'application/dicom',
                eye: 'right',
                eyeSource: 'dicom',
                twinOf: `${folder}/OD_1.jpg`,
              },
            ]
          : images,
      reasons: [
        ...(readsNumber
          ? []
          : [
              {
                kind: 'fieldMissing' as const,
                field: 'history_number' as const,
                message: 'The history number is missing. Enter it.',
              },
            ]),
        ...(readsEye
          ? []
          : images.map(() => ({
              kind: 'eyeUnknown' as const,
              message: 'Nothing states the eye of an image. Say which eye it is, or leave the image out.',
            }))),
      ],
      oddities:
        index === 0
          ? [{ kind: 'nameUnclear', message: 'The name could be read in two orders. Check it.' }]
          : [],
    }
  })
  return {
    fileCount: 1_240,
    triedCount: 300,
    visits,
    notes: [
      {
        fileName: `${LONG}/REPORTS/report.pdf`,
        kind: 'ignored',
        message: 'This file is no image that is taken.',
        at: 0,
      },
      {
        fileName: 'incoming/OS_9.jpg',
        kind: 'arriving',
        message: 'This file is not complete, or not yet.',
        at: 0,
      },
    ],
  }
}
