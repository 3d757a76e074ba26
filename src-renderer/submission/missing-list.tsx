import { UnstyledButton } from '@mantine/core'
import { IconArrowRight, IconPencil } from '@tabler/icons-react'
import type { Reason } from '../../src-shared/submission.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import { focusField, focusImage } from './focus-field.ts'
import css from './missing-list.module.css'

/** What keeps a submission here, one click away from where it is mended. */
export function MissingList({ reasons }: { readonly reasons: readonly Reason[] }) {
  return (
    <section className={css.panel} aria-labelledby="missing">
      <h2 id="missing" className={css.title}>
        <IconPencil size={17} aria-hidden />
        {SUBMISSION_WORDS.missing.title}
      </h2>
      <ul role="list">
        {reasons.map((reason) => (
          <li key={[reason.kind, reason.field, reason.imageId, reason.message].join('\n')}>
            {(reason.field ?? reason.imageId) ? (
              <UnstyledButton className={css.reason} onClick={() => jumpTo(reason)}>
                <span>{reason.message}</span>
                <span className={css.jump}>
                  {SUBMISSION_WORDS.missing.jump}
                  <IconArrowRight size={15} aria-hidden />
                </span>
              </UnstyledButton>
            ) : (
              <p className={css.reason}>{reason.message}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function jumpTo({ field, imageId }: Reason): void {
  if (field !== undefined) focusField(field)
  else if (imageId !== undefined) focusImage(imageId)
}
