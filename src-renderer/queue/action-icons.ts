import {
  IconArrowBackUp,
  IconArrowBarToUp,
  IconBuildingHospital,
  IconCheck,
  IconFolderCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSquareX,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import type { SubmissionAction } from './submission-actions.ts'

/** The sign of each action, the same wherever it is offered. */
export const ACTION_ICONS: Readonly<Record<SubmissionAction, Icon>> = {
  approve: IconCheck,
  retry: IconRefresh,
  release: IconPlayerPlay,
  prioritise: IconArrowBarToUp,
  closeNow: IconFolderCheck,
  hold: IconPlayerPause,
  cancel: IconSquareX,
  moveToCenter: IconBuildingHospital,
  restore: IconArrowBackUp,
  discard: IconTrash,
}
