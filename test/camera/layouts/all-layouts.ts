/** The twelve layouts of the reference, by their numbers there; some have variants. */
import { cameraBack } from './camera-back.ts'
import { dateNumberSequence } from './date-number-sequence.ts'
import { dicomMedia } from './dicom-media.ts'
import { eidonFields } from './eidon-fields.ts'
import { flatWithCsv, flatWithForeignCsv, flatWithXml, folderWithCaseJson } from './flat-with-manifest.ts'
import { folderTellsAll, zippedFolders } from './folder-tells-all.ts'
import { idAndUid } from './id-and-uid.ts'
import type { CameraLayout } from './layout.ts'
import { octSet } from './oct-set.ts'
import { operatorTemplate } from './operator-template.ts'
import { patientEyeView } from './patient-eye-view.ts'
import { subjectFolder } from './subject-folder.ts'
import { uuidNames } from './uuid-names.ts'

export const ALL_LAYOUTS = {
  '1': subjectFolder,
  '2': uuidNames,
  '3': folderTellsAll,
  '3-zip': zippedFolders,
  '4': octSet,
  '5': eidonFields,
  '6': idAndUid,
  '7': dicomMedia,
  '8': dateNumberSequence,
  '9': cameraBack,
  '10': patientEyeView,
  '11': operatorTemplate,
  '12': flatWithCsv,
  '12-xml': flatWithXml,
  '12-foreign': flatWithForeignCsv,
  '12-json': folderWithCaseJson,
} as const satisfies Record<string, CameraLayout>

export type LayoutName = keyof typeof ALL_LAYOUTS
