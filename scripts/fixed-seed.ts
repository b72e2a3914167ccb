/** Property tests draw the same cases in every run, so that a failure is one of the change under test. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_122 });
