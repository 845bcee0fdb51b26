import { eachFault } from './each-fault.ts';

eachFault('long');
