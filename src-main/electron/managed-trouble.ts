import type { ManagedFile } from '../../src-shared/setting-source.ts'
import type { HostWords } from './words/host-words.ts'

/** What to tell of the administrator's files; null where all is as it should be. Pure. */
export function describeManagedTrouble(
  files: readonly ManagedFile[],
  texts: HostWords['managed'],
): { readonly title: string; readonly detail: string; readonly close: string } | null {
  const troubles = files.flatMap((file) => {
    const trouble = managedTroubleKind(file)
    if (trouble === null) return []
    const consequence = consequences(file, texts)
    const detail = file.detail === null ? [] : [file.detail]
    return [
      [`${texts.files[file.kind]}: ${file.path}`, texts.troubles[trouble], ...detail, ...consequence].join(
        '\n',
      ),
    ]
  })
  if (troubles.length === 0) return null
  return { title: texts.title, detail: [...troubles, texts.where].join('\n\n'), close: texts.close }
}

function consequences({ kind, inForce }: ManagedFile, texts: HostWords['managed']): string[] {
  if (kind === 'enrolment') return []
  if (inForce === 'lastKnown') return [texts.lastKnown]
  return [kind === 'configuration' ? texts.noConfiguration : texts.nothing]
}

function managedTroubleKind({ state, inForce }: ManagedFile): keyof HostWords['managed']['troubles'] | null {
  if (state === 'read' || state === 'taken') return null
  // Where there never was one, nothing is missing.
  return state === 'none' && inForce === 'nothing' ? null : state
}
