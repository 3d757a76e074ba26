import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { t } from '../words/t.ts'
import { ConnectionTest } from './connection-test.tsx'
import css from './settings-screen.module.css'
import type { ServiceEditing } from './use-service-form.ts'

/** Tries what is written and not yet saved, in three steps. */
export function ConnectionPanel({ editing }: { readonly editing: ServiceEditing }) {
  return (
    <section className={css.card} aria-labelledby="connection-test">
      <div className={css.foot}>
        <div className={css.gap}>
          <h3 id="connection-test">{t('settings:test.title')}</h3>
          <p className="dim">{t('settings:test.explain')}</p>
        </div>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={17} aria-hidden />}
          loading={editing.isTesting}
          onClick={() => void editing.test()}
        >
          {t('settings:test.action')}
        </Button>
      </div>
      {editing.tested && <ConnectionTest result={editing.tested} />}
    </section>
  )
}
