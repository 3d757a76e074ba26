import {
  IconArrowBackUp,
  IconArrowBarToUp,
  IconCheck,
  IconFolderCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
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
  restore: IconArrowBackUp,
  discard: IconTrash,
}
