#!/bin/bash
rm -f ocean20 ocean20.nc copy.nc
