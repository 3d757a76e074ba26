/** Where the outbox cannot be opened as it is. */
import type { HostLanguage } from './host-language.ts'

type RecoveryWords = {
  readonly recover: string
  readonly quit: string
  readonly go: string
  readonly detail: string
  readonly unchanged: string
}

export const recoveryWords: Readonly<Record<HostLanguage, RecoveryWords>> = {
  en: {
    recover: 'Recover',
    quit: 'Quit',
    go: 'Continue',
    detail:
      'Recover sets the outbox that is there aside and builds it anew; nothing is deleted. Cases that are not known as sent are looked for at the service, and none goes again without evidence. Quit leaves all as it is.',
    unchanged: 'Nothing was changed.',
  },
  es: {
    recover: 'Recuperar',
    quit: 'Salir',
    go: 'Continuar',
    detail:
      'Recuperar aparta la bandeja de salida actual y la reconstruye; no se borra nada. Los casos que no consten como enviados se buscan en el servicio, y ninguno se vuelve a enviar sin pruebas. Salir deja todo como está.',
    unchanged: 'No se ha cambiado nada.',
  },
}
