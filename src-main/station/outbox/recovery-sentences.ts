import type { SpoolCount } from './count-spool.ts'
import type { AppliedManifests } from './lay-over.ts'

export type Recovered = AppliedManifests &
  SpoolCount & {
    /** What the outbox that was there is called now, or null where there was none. */
    readonly setAside: string | null
    /** The backup that it was built on, or null. */
    readonly backup: string | null
    /** Backups that could not be used. */
    readonly unusable: readonly string[]
    readonly damaged: number
    readonly unreadable: number
    readonly unsettled: number
  }

/** "1 case was", "3 cases were". */
function counted(count: number, one: string): string {
  return count === 1 ? `1 ${one} was` : `${count} ${one}s were`
}

/** What a recovery has done, for whoever started it. Pure. */
export function recoverySentences(done: Recovered): readonly string[] {
  const sentences = [
    done.setAside === null
      ? 'There was no outbox any more.'
      : `The outbox that was there was set aside as ${done.setAside}; nothing of it was deleted.`,
    ...done.unusable.map((name) => `The backup ${name} could not be used.`),
    done.backup === null
      ? 'There was no backup to build on, so the outbox was built of the notes beside the images alone.'
      : `The outbox was built on the backup ${done.backup}.`,
    `${counted(done.added, 'case')} added and ${counted(done.changed, 'case')} brought up to date from the notes beside the images.`,
  ]
  if (done.damaged > 0)
    sentences.push(
      `${counted(done.damaged, 'note')} damaged and set aside. Where only their images are known, the case shows no patient: compare it with the service.`,
    )
  if (done.unreadable > 0)
    sentences.push(
      `${done.unreadable === 1 ? '1 note' : `${done.unreadable} notes`} beside the images could not be read, and what only they know is not known. Nothing was changed there: check the disk and the rights of the data folder, and compare the cases of the last days with the service.`,
    )
  if (done.missing > 0)
    sentences.push(
      `The files of ${done.missing === 1 ? '1 image are' : `${done.missing} images are`} not there any more. Their cases are kept and cannot be sent again.`,
    )
  if (done.unnamed > 0)
    sentences.push(
      `${counted(done.unnamed, 'copied file')} found that no case names. They were left where they are.`,
    )
  sentences.push(
    done.unsettled === 0
      ? 'All cases are known as sent or discarded.'
      : `${done.unsettled === 1 ? '1 case is' : `${done.unsettled} cases are`} not known as sent. The station looks for them at the service, and none goes again without evidence: see "Check delivery".`,
  )
  return sentences
}
