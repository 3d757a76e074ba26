/** Why a folder cannot be reached, in words for a photographer, by the code of the error. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'The folder is not there. Check that the drive or the network share is connected.',
  ENOTDIR: 'There is a file where the folder should be. Check the path of the folder in Settings.',
  EACCES: 'The station may not open the folder. Give it the right to read it.',
  EPERM: 'The station may not open the folder. Give it the right to read it.',
  EHOSTDOWN: 'The computer with the folder does not answer. Check the network.',
  EHOSTUNREACH: 'The computer with the folder does not answer. Check the network.',
  ENETUNREACH: 'The network is not there. Check the cable or the Wi-Fi.',
  ETIMEDOUT: 'The computer with the folder does not answer. Check the network.',
  ESTALE: 'The connection to the network share was lost.',
  ENOTCONN: 'The connection to the network share was lost.',
  EIO: 'The drive or the network share does not answer properly.',
  ENODEV: 'The drive is not there any more. Check that it is connected.',
  ENXIO: 'The drive is not there any more. Check that it is connected.',
}

const UNKNOWN_REASON = 'The folder cannot be opened. Check the drive or the network share.'

export const SUDDENLY_EMPTY_REASON =
  'The folder is suddenly empty and is not the one that was seen before. Check that the drive or the network share is connected.'

export const SILENT_REASON = 'The folder does not answer. Check the drive or the network share.'

export const WORKER_ENDED_REASON = 'Watching the folder stopped unexpectedly. It is started again by itself.'

export const WORKER_KEEPS_ENDING_REASON =
  'Watching the folder has stopped again and again, so new images may come late or not at all. It is started again by itself; if this stays, save the diagnostics and send them to your IT department.'

export function unreachableReason(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? UNKNOWN_REASON
}

/** The code of an error of the file system; undefined for an error that is none of its. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
