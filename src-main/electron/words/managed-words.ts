/** Files of an administrator that could not be taken as they are. */
import type { HostLanguage } from './host-language.ts'

type ManagedWords = {
  readonly title: string
  readonly files: Readonly<Record<'policy' | 'configuration' | 'enrolment', string>>
  readonly troubles: Readonly<
    Record<'none' | 'broken' | 'unreadable' | 'unsafe' | 'left' | 'refused' | 'locked' | 'failed', string>
  >
  readonly lastKnown: string
  readonly nothing: string
  /** Of the configuration file, whose settings decide where cases go. */
  readonly noConfiguration: string
  /** Where all of it can be read again. */
  readonly where: string
  readonly close: string
}

export const managedWords: Readonly<Record<HostLanguage, ManagedWords>> = {
  en: {
    title: 'A file of the IT department needs a look',
    files: { policy: 'Policy', configuration: 'Configuration file', enrolment: 'Enrolment file' },
    troubles: {
      none: 'The file is gone. To lift a policy, put a file with {} in its place.',
      broken: 'The file cannot be understood.',
      unreadable: 'The file cannot be read.',
      unsafe: 'Others than an administrator may write this file, so it is not believed.',
      left: 'It was taken, but could be neither removed nor emptied: the client secret still lies in it. Remove the file.',
      refused:
        'It is for another service or center than the one that is enforced, so nothing of it was taken.',
      locked: "This computer's safe for secrets is locked. The file is taken at the next start.",
      failed:
        'What it brings could not be kept on this computer, see the log. The file is taken at the next start.',
    },
    lastKnown: 'What it said before still holds.',
    nothing: 'The station goes on with its own settings; cases are kept and sent as before.',
    noConfiguration:
      'What it said before is not known. So that no case is made or sent by other settings, the station has started in safe mode: nothing is taken in and nothing is sent, and all cases are kept. Mend the file, quit, and start again; “Start normally” would go on without it.',
    where: 'Settings, “Origin of settings”, shows all of it.',
    close: 'Close',
  },
  es: {
    title: 'Un archivo del departamento de informática necesita una revisión',
    files: {
      policy: 'Directiva',
      configuration: 'Archivo de configuración',
      enrolment: 'Archivo de alta',
    },
    troubles: {
      none: 'El archivo ya no está. Para retirar una directiva, ponga en su lugar un archivo con {}.',
      broken: 'El archivo no se puede entender.',
      unreadable: 'El archivo no se puede leer.',
      unsafe:
        'Otros que no son administradores pueden escribir este archivo, por lo que no se le da crédito.',
      left: 'Se aplicó, pero no se pudo eliminar ni vaciar: el secreto de cliente sigue en él. Elimine el archivo.',
      refused:
        'Es para un servicio o un centro distinto del que está impuesto, por lo que no se aplicó nada.',
      locked:
        'La caja fuerte de secretos de este equipo está bloqueada. El archivo se aplicará en el próximo inicio.',
      failed:
        'Lo que trae no se pudo guardar en este equipo; consulte el registro. El archivo se aplicará en el próximo inicio.',
    },
    lastKnown: 'Lo que decía antes sigue vigente.',
    nothing: 'La estación sigue con sus propios ajustes; los casos se conservan y se envían como antes.',
    noConfiguration:
      'No se sabe qué decía antes. Para que ningún caso se cree ni se envíe con otros ajustes, la estación se inició en modo seguro: no se recibe ni se envía nada y se conservan todos los casos. Corrija el archivo, salga e inicie de nuevo; «Iniciar con normalidad» seguiría sin él.',
    where: 'Ajustes, «Origen de los ajustes», lo muestra todo.',
    close: 'Cerrar',
  },
}
